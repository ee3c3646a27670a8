import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { gravacaoSchema } from '@vigia/contracts/gravacoes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayOf } from '../../../base/tempo/calendar-day.ts'
import type { Fuso } from '../../../base/tempo/format-time.ts'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import { gravacoesQuery } from '../../../domains/video/clipes/gravacoes-query.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FieldRow } from '../../../ui/fields.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import classes from './gravacoes.module.css'
import { fieldsOf, lengthsFor, type Parte, spanOf } from './span.ts'

/** The suggested part ends this long ago, because recorders write to their disk late. */
const AGO_MS = 5 * 60_000

/** Start of the part that the form suggests, epoch ms. */
export const suggestedStart = (): number => Date.now() - AGO_MS

/** Requests a part. `parte`: the suggested one. */
export function GravacaoForm({ parte, fuso }: { parte: Parte; fuso: Fuso }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { id } = useCamera()
  const [fields, setFields] = useState(() => fieldsOf(parte, fuso))
  const [isIncomplete, setIncomplete] = useState(false)
  const create = useMutation({
    mutationFn: (span: { inicio: string; fim: string }) =>
      api.send('POST', `/cameras/${id}/gravacoes`, span, gravacaoSchema),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: gravacoesQuery(api, id).queryKey })
      announce(t('gravacoes.pedida'))
    },
  })
  const set = (change: Partial<typeof fields>) => {
    setFields({ ...fields, ...change })
    setIncomplete(false)
    create.reset()
  }
  const failure = isIncomplete ? t('gravacoes.faltaHora') : create.error && formErrors(create.error, []).general
  return (
    <FieldRow
      as="form"
      onSubmit={(event) => {
        event.preventDefault()
        const span = spanOf(fields, fuso)
        setIncomplete(span === null)
        if (span !== null) create.mutate(span)
      }}
    >
      <TextInput
        type="date"
        label={t('gravacoes.dia')}
        value={fields.dia}
        max={dayOf(Date.now(), fuso)}
        onChange={({ currentTarget }) => set({ dia: currentTarget.value })}
      />
      <TextInput
        type="time"
        step={1}
        label={t('gravacoes.hora')}
        value={fields.hora}
        onChange={({ currentTarget }) => set({ hora: currentTarget.value })}
      />
      <NativeSelect
        label={t('gravacoes.duracao')}
        data={lengthsFor(parte.minutos).map((count) => ({
          value: String(count),
          label: t('gravacoes.minutos', { count }),
        }))}
        value={fields.minutos}
        onChange={({ currentTarget }) => set({ minutos: currentTarget.value })}
      />
      <Button type="submit" loading={create.isPending} leftSection={<IconSearch size={18} aria-hidden="true" />}>
        {t('gravacoes.buscar')}
      </Button>
      {failure && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
    </FieldRow>
  )
}
