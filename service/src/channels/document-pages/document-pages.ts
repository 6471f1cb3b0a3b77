export { createPageVisitors, type PageVisitors } from './page-visitors.ts'
