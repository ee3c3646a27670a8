import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Area, areas, type Pagina } from './areas.ts'
import type { Idioma } from './idiomas.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'pagina'
    resources: { pagina: Pagina }
  }
}

export interface Texts {
  readonly i18n: i18n
  /** Loads the texts of these areas, each once. */
  load(...wanted: readonly Area[]): Promise<void>
}

/** Resolves with the texts of the first page, and never renders another language in place of a missing text. */
export async function createTexts(idioma: Idioma, onMissing: (key: string) => void = reportMissing): Promise<Texts> {
  const instance = createInstance()
  const loads = new Map<Area, Promise<void>>()
  const loadArea = async (area: Area) => {
    instance.addResourceBundle(idioma, 'pagina', (await areas[idioma][area]()).default, true)
  }
  const load = async (...wanted: readonly Area[]) => {
    for (const area of wanted) if (!loads.has(area)) loads.set(area, loadArea(area))
    try {
      await Promise.all(wanted.map((area) => loads.get(area)))
    } catch (error) {
      // The next attempt fetches them again.
      for (const area of wanted) loads.delete(area)
      throw error
    }
  }
  await instance.use(initReactI18next).init({
    lng: idioma,
    fallbackLng: false,
    ns: 'pagina',
    defaultNS: 'pagina',
    resources: {},
    initAsync: false,
    saveMissing: true,
    missingKeyHandler: (_languages, _namespace, key) => onMissing(key),
    // React escapes all rendered text.
    interpolation: { escapeValue: false },
  })
  await load('base')
  return { i18n: instance, load }
}

/** An error of the console fails every journey (docs/testing.md). */
function reportMissing(key: string): void {
  console.error(`Text missing: ${key}`)
}
