import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { chooseIdioma, chosenIdioma, type Idioma, idiomas } from '../../../texts/idiomas.ts'
import classes from './conta.module.css'

/** Each language by its own name. */
const names: Readonly<Record<Idioma, string>> = { 'pt-BR': 'Português', en: 'English' }

/** Language of the page in this browser. */
export function LanguageChoice() {
  const { t } = useTranslation()
  const { settings } = useServices()
  return (
    <section className={classes.factor} aria-labelledby="idioma">
      <h2 id="idioma">{t('conta.idioma.titulo')}</h2>
      <NativeSelect
        label={t('conta.idioma.rotulo')}
        description={t('conta.idioma.ajuda')}
        value={chosenIdioma(settings) ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget
          chooseIdioma(settings, idiomas.find((idioma) => idioma === value) ?? null)
          // Texts, dates and numbers of the whole page change.
          location.reload()
        }}
        data={[
          { value: '', label: t('conta.idioma.navegador') },
          ...idiomas.map((idioma) => ({ value: idioma, label: names[idioma] })),
        ]}
      />
    </section>
  )
}
