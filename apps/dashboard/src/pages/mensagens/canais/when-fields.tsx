import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Choices, FieldRow } from '../../../ui/fields.tsx'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { diasOf, meiasHoras, relogio, TODOS_DIAS } from './canal-form.ts'

/** The hours and weekdays in which a canal reports events. */
export function WhenFields({ form }: { readonly form: ApiForm<'inicio' | 'fim' | 'dias'> }) {
  const { t } = useTranslation()
  const days: readonly string[] = t('canais.dias', { returnObjects: true })
  const whole: readonly string[] = t('canais.diasInteiros', { returnObjects: true })
  const hour = (value: string) => ({ value, label: value === '' ? t('canais.formulario.sempre') : relogio(value) })
  const { error } = form.field('dias')
  return (
    <>
      <FieldRow>
        <NativeSelect label={t('canais.formulario.inicio')} data={meiasHoras(0).map(hour)} {...form.field('inicio')} />
        <NativeSelect label={t('canais.formulario.fim')} data={meiasHoras(0.5).map(hour)} {...form.field('fim')} />
      </FieldRow>
      <Checkbox.Group
        label={t('canais.formulario.dias')}
        value={diasOf(form.values.dias)}
        onChange={(chosen) => form.set('dias', chosen.join())}
        error={error}
      >
        <Choices>
          {TODOS_DIAS.map((dia, index) => (
            <Checkbox
              key={dia}
              value={dia}
              label={days[index]}
              aria-label={whole[index]}
              aria-invalid={error !== undefined || undefined}
            />
          ))}
        </Choices>
      </Checkbox.Group>
    </>
  )
}
