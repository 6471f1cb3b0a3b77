/** What the form says in other languages than English: one text each, in the order of `NAMES` in `form-words.ts`. Fetched when needed. */
export const OTHER_WORDS: Record<string, string> = {
  de: `Eine Antwort wird gesucht
Ohne Warten senden
Beantwortet das Ihre Frage?
Quellen
Das hat geholfen
Anfrage senden
Weiter
Gut. Ihre Anfrage wurde nicht gesendet.
Trotzdem senden
öffnet in einem neuen Tab`,
  fr: `Recherche d’une réponse
Envoyer sans attendre
Cela répond-il à votre question ?
Sources
Problème résolu
Envoyer ma demande
Continuer
Très bien. Votre demande n’a pas été envoyée.
L’envoyer quand même
s’ouvre dans un nouvel onglet`,
  es: `Buscando una respuesta
Enviar sin esperar
¿Responde esto a su pregunta?
Fuentes
Esto lo resolvió
Enviar mi solicitud
Continuar
Bien. Su solicitud no se ha enviado.
Enviarla de todos modos
se abre en una pestaña nueva`,
  pt: `Procurando uma resposta
Enviar sem esperar
Isto responde à sua pergunta?
Fontes
Isto resolveu
Enviar meu pedido
Continuar
Ótimo. Seu pedido não foi enviado.
Enviar mesmo assim
abre em uma nova aba`,
  it: `Ricerca di una risposta
Invia senza attendere
Questo risponde alla sua domanda?
Fonti
Ha risolto
Invia la mia richiesta
Continua
Bene. La sua richiesta non è stata inviata.
Inviala comunque
si apre in una nuova scheda`,
  nl: `Een antwoord wordt gezocht
Verzenden zonder te wachten
Beantwoordt dit uw vraag?
Bronnen
Dit lost het op
Mijn verzoek verzenden
Doorgaan
Mooi. Uw verzoek is niet verzonden.
Toch verzenden
opent in een nieuw tabblad`,
  ja: `回答を探しています
待たずに送信
これで解決しましたか？
出典
解決しました
問い合わせを送信
続ける
解決してよかったです。問い合わせは送信されていません。
それでも送信する
新しいタブで開きます`,
  ko: `답변을 찾는 중입니다
기다리지 않고 보내기
이 답변이 도움이 되었나요?
출처
해결되었습니다
문의 보내기
계속
다행입니다. 문의는 전송되지 않았습니다.
그래도 보내기
새 탭에서 열림`,
  zh: `正在查找答案
不等待，直接发送
这是否回答了您的问题？
来源
问题已解决
发送我的请求
继续
很好。您的请求未发送。
仍然发送
在新标签页中打开`,
  ar: `جارٍ البحث عن إجابة
الإرسال دون انتظار
هل يجيب هذا عن سؤالك؟
المصادر
تم حل المشكلة
إرسال طلبي
متابعة
حسنًا. لم يُرسل طلبك.
إرساله على أي حال
يفتح في علامة تبويب جديدة`,
  he: `מחפשים תשובה
שליחה בלי להמתין
האם זה עונה על שאלתך?
מקורות
זה פתר את הבעיה
שליחת הפנייה שלי
המשך
מצוין. הפנייה שלך לא נשלחה.
לשלוח בכל זאת
נפתח בכרטיסייה חדשה`,
}
