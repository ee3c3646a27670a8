import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const LICENCE = new URL('../../node_modules/@fontsource-variable/inter/LICENSE', import.meta.url)

/** Adds the licence of the typeface to the build: the SIL Open Font License asks for it with each copy (§ 2). */
export const fontLicence = (): Plugin => ({
  name: 'font-licence',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'assets/inter-LICENSE.txt', source: readFileSync(LICENCE) })
  },
})
