/**
 * Builds the widget into `widget/dist`. `npm run widget` calls it; the service does the same when it starts and the build is missing or
 * older than its sources, with the hash of the sources as argument.
 */
import { buildWidget } from '../widget/build.ts'
import { buildIntoPlace } from './build-into-place.ts'

await buildIntoPlace('widget/dist', process.argv[2], buildWidget)
