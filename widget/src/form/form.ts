import { CitewellForm } from './citewell-form.ts'

// A page may load this script twice.
if (!customElements.get('citewell-form')) customElements.define('citewell-form', CitewellForm)
