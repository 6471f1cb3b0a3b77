/** In the form of `foreign-words.ts`. */
export const FRENCH = `
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
: peux faut fait mot entre est-ce qu veux voudrais puis-je peut-on y a t il elle cette ces leur tous toutes`
