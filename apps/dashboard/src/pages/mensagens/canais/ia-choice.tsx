import { Checkbox, NativeSelect } from '@mantine/core'
import { nomesIas } from '@vigia/contracts/ias'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { Choices } from '../../../ui/fields.tsx'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { iasOf, textOfIas } from './canal-form.ts'

/** The IAs whose alerts a canal sends: all of them, also later ones, or some. */
export function IaChoice({ form }: { readonly form: ApiForm<'quais' | 'tipos_evento'> }) {
  const { t } = useTranslation()
  const field = form.field('tipos_evento')
  return (
    <>
      <NativeSelect
        label={t('canais.formulario.quais')}
        data={(['todas', 'so'] as const).map((value) => ({ value, label: t(`canais.formulario.ias.${value}`) }))}
        {...form.field('quais')}
      />
      {form.values.quais === 'so' && (
        <Checkbox.Group
          label={t('canais.formulario.tiposEvento')}
          value={iasOf(form.values.tipos_evento)}
          onChange={(names) => form.set('tipos_evento', textOfIas(names))}
          error={field.error}
        >
          <Choices>
            {nomesIas.map((nome) => (
              <Checkbox
                key={nome}
                value={nome}
                label={textsOfIa(nome).titulo}
                aria-invalid={field.error !== undefined || undefined}
              />
            ))}
          </Choices>
        </Checkbox.Group>
      )}
    </>
  )
}
