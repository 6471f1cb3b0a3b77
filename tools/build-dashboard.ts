/** Builds the dashboard into `dashboard/dist`. The service calls it when the build is missing or older than its sources. */
import { buildDashboard } from '../dashboard/build.ts'
import { buildIntoPlace } from './build-into-place.ts'

await buildIntoPlace('dashboard/dist', process.argv[2], buildDashboard)
