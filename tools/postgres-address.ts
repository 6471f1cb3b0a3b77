/** Prints the address of the PostgreSQL server that tests may use, and starts it if need be. Exits with 1 if there is none. */
import { postgresServerUrl } from '../service/test/postgres-server.ts'

const url = postgresServerUrl()
if (url === undefined) process.exit(1)
console.log(url)
