/** In the form of `foreign-words.ts`. */
export const SPANISH = `
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
: quiero debo puede cuál tiene mis sus`
