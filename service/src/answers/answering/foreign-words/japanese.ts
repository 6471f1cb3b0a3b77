/** In the form of `foreign-words.ts`. */
export const JAPANESE = `
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
: 方法 場合 理由`
