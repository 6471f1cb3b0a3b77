/** In the form of `foreign-words.ts`. */
export const GERMAN = `
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
: möchte will soll sollte darf dürfen bitte geht lässt lassen viel wieviel sein haben hinzu wieder dabei meiner meines mich mir uns unser`
