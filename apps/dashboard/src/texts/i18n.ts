import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { ptBr } from './pt-br.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'pagina'
    resources: { pagina: typeof ptBr }
  }
}

/** The texts of the page, ready before the first render. Another language is another file beside pt-br.ts. */
export function createTexts(): i18n {
  const texts = createInstance()
  void texts.use(initReactI18next).init({
    lng: 'pt-BR',
    fallbackLng: 'pt-BR',
    defaultNS: 'pagina',
    resources: { 'pt-BR': { pagina: ptBr } },
    initAsync: false,
    // React escapes all rendered text.
    interpolation: { escapeValue: false },
  })
  return texts
}
