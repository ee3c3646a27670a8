import { useTranslation } from 'react-i18next'

/** Returns the name of a model's label in the language of the page, or the label itself if it is unknown. */
export function useLabelName(): (label: string) => string {
  const { t } = useTranslation()
  const names: Readonly<Record<string, string>> = t('rotulos', { returnObjects: true })
  return (label) => (Object.hasOwn(names, label) ? (names[label] ?? label) : label)
}
