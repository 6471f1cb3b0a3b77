/** Version of the service, as its package, its API reference and `citewell --version` say it. */
export const VERSION = '0.1.0'
