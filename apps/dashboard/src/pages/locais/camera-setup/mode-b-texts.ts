import { useTranslation } from 'react-i18next'
import type { FieldTexts } from '../../../ui/schema-fields.tsx'

/** Texts of fields that have another key than their own name; each other field has `placas.camera.<name>`. */
const keys: Readonly<Record<string, string>> = {
  conf_placa: 'certeza',
  sentido_entrada: 'sentido',
  alertar_desconhecidas: 'desconhecidas',
  alertar_permitidas: 'permitidas',
}
/** Key of the labels of the options. */
const optionKeys: Readonly<Record<string, string>> = { papel: 'papeis', sentido_entrada: 'sentidos' }

/** Key of the text of a field of Mode B. */
export const modeBKey = (name: string): string => `placas.camera.${keys[name] ?? name}`

/** Returns the texts of a field of Mode B by its name in the contract. */
export function useModeBTexts(): (name: string) => FieldTexts {
  const { t, i18n } = useTranslation()
  // The names are those of the contract; mode-b-fields.test.tsx compares them with the languages.
  const text = (key: string) => t(key as 'placas.camera.ativo')
  return (name) => {
    const example = `${modeBKey(name)}Exemplo`
    return {
      label: text(modeBKey(name)),
      ...(i18n.exists(example) ? { placeholder: text(example) } : {}),
      option: (value) => text(`placas.camera.${optionKeys[name] ?? name}.${value}`),
    }
  }
}
