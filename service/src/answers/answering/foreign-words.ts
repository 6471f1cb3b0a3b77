/**
 * What a word of another language is in the English of documentation, one meaning a line: "english: word word". A line with nothing before
 * the colon has words to leave out. Endings do not matter (`translate-question.ts`), so one form of a regular verb is enough.
 */
export const FOREIGN_WORDS = {
  de: `
    backup: sicherung sichern datensicherung sicherungskopie
    restore: wiederherstellen wiederherstellung zurückspielen einspielen
    install: installieren installation installiert
    uninstall: deinstallieren
    configure: konfigurieren konfiguriert einrichten richte
    configuration: konfiguration konfigurationsdatei
    settings: einstellung
    set: einstellen setzen setzt festlegen
    change: ändern ändert änderung geändert wechseln wechsle umstellen
    delete: löschen löscht gelöscht
    remove: entfernen entfernt
    add: hinzufügen füge
    create: erstellen erstellt anlegen lege erzeugen erzeugt
    generate: generieren
    update: aktualisieren aktualisierung
    start: starten startet gestartet
    stop: stoppen anhalten beenden
    restart: neustart neustarten
    reload: neuladen
    run: ausführen laufen läuft betreiben
    enable: aktivieren aktiviert einschalten
    disable: deaktivieren abschalten ausschalten
    limit: begrenzen begrenzung beschränken einschränken grenze
    maximum: höchstens maximal maximale höchstgrenze
    minimum: mindestens minimal
    size: größe groß
    many: viele
    password: passwort passwörter kennwort
    protect: schützen absichern schutz
    encrypt: verschlüsseln verschlüsselung verschlüsselt
    user: benutzer nutzer anwender
    login: anmelden anmeldung einloggen
    authentication: authentifizierung
    account: konto
    key: schlüssel
    file: datei dateien
    folder: ordner verzeichnis
    page: seite
    image: bild bilder
    send: senden sendet schicken verschicken
    error: fehler fehlermeldung
    message: nachricht meldung
    notification: benachrichtigung
    test: testen
    difference: unterschied
    compare: vergleichen vergleich
    language: sprache
    translate: übersetzen
    supported: unterstützen unterstützt unterstützung
    use: verwenden verwendet benutzen nutzen
    connect: verbinden verbindung
    database: datenbank
    environment variable: umgebungsvariable
    environment: umgebung
    security: sicherheit
    virtual: virtuell
    command: befehl kommando
    command line: kommandozeile befehlszeile
    default: standard standardmäßig voreinstellung
    default value: standardwert
    value: wert
    string: zeichenkette
    list: liste auflisten
    number: zahl anzahl nummer
    random: zufällig
    random number: zufallszahl
    convert: umwandeln konvertieren wandle
    read: lesen liest
    write: schreiben
    open: öffnen offen
    close: schließen
    show: anzeigen zeigen
    hide: ausblenden verstecken verbergen
    search: suchen suche
    find: finden
    download: herunterladen
    upload: hochladen
    import: importieren
    export: exportieren
    copy: kopieren kopie
    move: verschieben umziehen
    rename: umbenennen
    print: drucken
    logs: protokoll protokolle
    monitor: überwachen überwachung
    alert: alarm warnung
    redirect: umleiten umleitung weiterleiten weiterleitung
    request: anfrage
    response: antwort
    question: frage
    deploy: bereitstellen ausrollen
    publish: veröffentlichen
    development: entwicklung
    development server: entwicklungsserver
    production: produktion
    license: lizenz
    price: preis kosten kostet
    free: kostenlos
    cancel: kündigen abbrechen
    subscription: abo abonnement
    invoice: rechnung
    access: zugriff zugang
    permission: berechtigung
    website: webseite
    network: netzwerk
    timeout: zeitüberschreitung
    time zone: zeitzone
    data: daten
    privacy: datenschutz
    store: speichern gespeichert ablegen
    memory: speicher arbeitsspeicher
    fast: schnell schneller
    slow: langsam
    new: neu
    old: alt
    own: eigene eigener
    multiple: mehrere
    without: ohne
    duplicates: duplikate doppelte
    reset: zurücksetzen
    invite: einladen
    exclude: ausschließen auslassen weglassen
    requirements: voraussetzung anforderung systemanforderung
    example: beispiel
    function: funktion
    loop: schleife
    class: klasse
    package: paket
    dependency: abhängigkeit
    component: komponente
    static: statisch
    table: tabelle
    column: spalte
    row: zeile
    query: abfrage
    sort: sortieren
    certificate: zertifikat
    schedule: zeitplan
    : möchte will soll sollte darf dürfen bitte geht lässt lassen viel wieviel sein haben hinzu wieder dabei meiner meines mich mir uns unser`,
  fr: `
    backup: sauvegarde sauvegarder
    restore: restaurer restauration rétablir
    install: installer installation
    uninstall: désinstaller
    configure: configurer paramétrer
    settings: paramètre réglage
    set: définir régler
    change: changer modifier modification
    delete: supprimer suppression effacer
    remove: enlever retirer
    add: ajouter
    create: créer création
    generate: générer
    update: mettre mise jour actualiser
    start: démarrer lancer
    stop: arrêter
    restart: redémarrer redémarrage
    reload: recharger
    run: exécuter
    enable: activer
    disable: désactiver
    limit: limiter limite
    maximum: maximale
    size: taille
    password: passe
    protect: protéger
    encrypt: chiffrer chiffrement
    user: utilisateur
    login: connexion
    connect: connecter
    authentication: authentification
    account: compte
    key: clé
    file: fichier
    folder: dossier répertoire
    send: envoyer
    error: erreur
    test: tester
    difference: différence
    compare: comparer
    counter: compteur
    gauge: jauge
    language: langue
    translate: traduire
    supported: supporté compatible
    use: utiliser
    database: base
    environment: environnement
    virtual: virtuel
    security: sécurité
    command: commande
    default: défaut
    value: valeur
    string: chaîne
    list: liste lister
    number: nombre
    random: aléatoire
    convert: convertir
    read: lire
    write: écrire
    open: ouvrir
    close: fermer
    show: afficher montrer
    hide: masquer cacher
    search: rechercher chercher recherche
    find: trouver
    download: télécharger
    import: importer
    export: exporter
    copy: copier
    move: déplacer
    rename: renommer
    print: imprimer
    logs: journal journaux
    monitor: surveiller surveillance
    alert: alerte
    redirect: rediriger redirection
    request: requête
    response: réponse
    deploy: déployer déploiement
    publish: publier
    development: développement
    license: licence
    price: prix coût coûte tarif
    free: gratuit
    cancel: résilier annuler
    subscription: abonnement
    invoice: facture
    access: accès accéder
    permission: autorisation
    website: site
    network: réseau
    data: donnée données
    privacy: confidentialité
    store: stocker enregistrer
    memory: mémoire
    fast: rapide vite
    slow: lent
    reduce: réduire
    new: nouveau nouvelle
    multiple: plusieurs
    without: sans
    duplicates: doublon
    reset: réinitialiser
    invite: inviter
    exclude: exclure
    requirements: prérequis
    example: exemple
    function: fonction
    loop: boucle
    class: classe
    package: paquet
    dependency: dépendance
    component: composant
    table: tableau
    column: colonne
    row: ligne
    sort: trier
    certificate: certificat
    : peux faut fait mot entre est-ce qu veux voudrais puis-je peut-on y a t il elle cette ces leur tous toutes`,
  es: `
    backup: respaldo copia
    restore: restaurar recuperar
    install: instalar instalación
    uninstall: desinstalar
    configure: configurar
    configuration: configuración
    settings: ajuste opción opciones
    set: establecer definir
    change: cambiar modificar cambio
    delete: borrar eliminar
    remove: quitar
    add: añadir agregar
    create: crear
    generate: generar
    update: actualizar actualización
    start: iniciar arrancar
    stop: detener parar
    restart: reiniciar
    reload: recargar
    run: ejecutar
    enable: activar habilitar
    disable: desactivar deshabilitar
    limit: limitar límite
    maximum: máximo máxima
    size: tamaño
    password: contraseña
    protect: proteger
    encrypt: cifrar
    user: usuario
    login: sesión
    account: cuenta
    key: clave
    file: archivo fichero
    folder: carpeta directorio
    page: página
    image: imagen
    send: enviar
    message: mensaje
    test: probar prueba
    difference: diferencia
    language: idioma lenguaje
    translate: traducir
    supported: compatible soporta
    use: usar utilizar
    connect: conectar
    database: datos
    environment: entorno
    security: seguridad
    command: comando
    default: defecto predeterminado
    value: valor
    string: cadena
    list: lista listar
    number: número
    random: aleatorio
    convert: convertir
    read: leer
    write: escribir
    open: abrir
    close: cerrar
    show: mostrar
    hide: ocultar
    search: buscar búsqueda
    download: descargar
    upload: subir
    import: importar
    export: exportar
    copy: copiar
    move: mover
    rename: renombrar
    print: imprimir
    logs: registro
    monitor: monitorizar supervisar
    alert: alerta
    redirect: redirigir
    request: petición solicitud
    response: respuesta
    deploy: desplegar despliegue
    publish: publicar
    development: desarrollo
    production: producción
    license: licencia
    price: precio cuesta coste
    free: gratis gratuito
    cancel: cancelar
    subscription: suscripción
    invoice: factura
    access: acceso acceder
    permission: permiso
    network: red
    store: guardar almacenar
    memory: memoria
    slow: lento
    new: nuevo
    multiple: varios
    without: sin
    duplicates: duplicado
    reset: restablecer
    invite: invitar
    exclude: excluir
    requirements: requisito
    example: ejemplo
    function: función
    package: paquete
    dependency: dependencia
    table: tabla
    column: columna
    row: fila
    sort: ordenar
    certificate: certificado
    : quiero debo puede cuál tiene mis sus`,
} as const

/** The same of languages that do not separate words: each is looked for within the text, the longest first. */
export const UNSPACED_WORDS = {
  ja: `
    backup: バックアップ
    restore: 復元 リストア
    install: インストール 導入
    uninstall: アンインストール
    configure: 設定 構成
    change: 変更 変える 変え
    delete: 削除 消す
    add: 追加
    create: 作成 作る 作り
    generate: 生成
    update: 更新 アップデート
    start: 起動 開始
    stop: 停止
    restart: 再起動
    reload: 再読み込み リロード
    run: 実行
    enable: 有効
    disable: 無効
    limit: 制限 上限
    maximum: 最大
    size: サイズ 大きさ
    password: パスワード
    protect: 保護
    encrypt: 暗号化
    user: ユーザー
    login: ログイン
    authentication: 認証
    account: アカウント
    key: キー 鍵
    file: ファイル
    folder: フォルダ フォルダー ディレクトリ
    page: ページ
    image: 画像
    send: 送信 送る
    email: メール
    error: エラー
    message: メッセージ
    test: テスト
    difference: 違い
    language: 言語
    translate: 翻訳
    supported: 対応 サポート
    use: 使う 使い 使用 利用
    connect: 接続
    database: データベース
    environment variable: 環境変数
    environment: 環境
    virtual environment: 仮想環境
    command: コマンド
    command line: コマンドライン
    default: デフォルト 既定 初期値
    value: 値
    string: 文字列
    list: リスト 一覧
    random number: 乱数
    convert: 変換
    read: 読む 読み込み
    write: 書く 書き込み
    open: 開く
    show: 表示
    hide: 非表示
    search: 検索
    download: ダウンロード
    upload: アップロード
    import: インポート
    export: エクスポート
    copy: コピー
    move: 移動
    print: 印刷
    logs: ログ
    monitor: 監視
    alert: アラート 警告
    notification: 通知
    redirect: リダイレクト
    request: リクエスト
    response: レスポンス
    deploy: デプロイ
    publish: 公開
    development: 開発
    production: 本番
    server: サーバー サーバ
    port: ポート
    host: ホスト
    license: ライセンス
    price: 料金 価格
    free: 無料
    cancel: 解約 キャンセル
    invoice: 請求書
    access: アクセス
    permission: 権限
    website: サイト
    network: ネットワーク
    data: データ
    store: 保存
    memory: メモリ
    fast: 速く 高速
    slow: 遅い
    multiple: 複数
    duplicates: 重複
    reset: リセット
    invite: 招待
    exclude: 除外
    example: 例
    function: 関数
    class: クラス
    module: モジュール
    package: パッケージ
    dependency: 依存
    component: コンポーネント
    table: テーブル
    query: クエリ
    sort: 並べ替え ソート
    certificate: 証明書
    token: トークン
    header: ヘッダー
    cookie: クッキー
    cache: キャッシュ
    proxy: プロキシ
    prompt: プロンプト
    tag: タグ
    number: 番号
    : 方法 場合 理由`,
  zh: `
    backup: 备份 備份
    restore: 恢复 还原
    install: 安装
    uninstall: 卸载
    configure: 配置 设置
    change: 更改 修改
    delete: 删除
    add: 添加
    create: 创建
    generate: 生成
    update: 更新
    start: 启动
    stop: 停止
    restart: 重启
    run: 运行
    enable: 启用
    disable: 禁用
    limit: 限制
    maximum: 最大
    size: 大小
    password: 密码
    encrypt: 加密
    user: 用户
    login: 登录
    authentication: 认证 身份验证
    account: 账户 帐户
    key: 密钥
    file: 文件
    folder: 文件夹 目录
    page: 页面
    image: 图片 图像
    send: 发送
    email: 邮件
    error: 错误
    message: 消息
    test: 测试
    difference: 区别
    language: 语言
    supported: 支持
    use: 使用
    connect: 连接
    database: 数据库
    environment variable: 环境变量
    virtual environment: 虚拟环境
    command: 命令
    command line: 命令行
    default: 默认
    value: 值
    string: 字符串
    list: 列表
    random number: 随机数
    convert: 转换
    read: 读取
    write: 写入
    open: 打开
    show: 显示
    hide: 隐藏
    search: 搜索
    download: 下载
    upload: 上传
    import: 导入
    export: 导出
    copy: 复制
    move: 移动
    logs: 日志
    monitor: 监控
    alert: 警报 告警
    redirect: 重定向
    request: 请求
    response: 响应
    deploy: 部署
    publish: 发布
    development: 开发
    production: 生产
    server: 服务器
    port: 端口
    license: 许可证
    price: 价格
    free: 免费
    cancel: 取消
    invoice: 发票
    access: 访问
    permission: 权限
    network: 网络
    data: 数据
    store: 存储 保存
    memory: 内存
    multiple: 多个
    duplicates: 重复
    reset: 重置
    invite: 邀请
    exclude: 排除
    example: 示例
    function: 函数
    module: 模块
    dependency: 依赖
    component: 组件
    query: 查询
    sort: 排序
    certificate: 证书
    token: 令牌
    cache: 缓存
    proxy: 代理
    : 如何 怎么 怎样 什么 可以 我的 如果 吗 的 我`,
} as const
