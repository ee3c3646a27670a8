import { Button, TextInput } from '@mantine/core'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { preservacaoSchema } from '@vigia/contracts/retencao'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../../base/tempo/format-time.ts'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Soft } from '../../../ui/page.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'

/** The hold of an event, and for administrators the buttons that set and end it. */
export function EventoHold({ evento, mayChange }: { readonly evento: EventoDetalhe; readonly mayChange: boolean }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  const { fuso } = useEmpresa(evento.empresa_id)
  const [open, setOpen] = useState<'set' | 'end' | null>(null)
  const { preservacao: hold, id } = evento
  const changed = () => void queries.invalidateQueries({ queryKey: ['evento', id] })
  if (hold === null && !mayChange) return null
  return (
    <div>
      {hold && <Soft>{t('retencao.preservado.linha', { ...hold, ate: formatDay(hold.ate, Date.now(), fuso) })}</Soft>}
      {mayChange && (
        <Button
          variant="default"
          leftSection={hold ? <IconLockOpen size={18} /> : <IconLock size={18} />}
          onClick={() => setOpen(hold ? 'end' : 'set')}
        >
          {t(hold ? 'retencao.preservado.liberar' : 'retencao.preservado.preservar')}
        </Button>
      )}
      {open === 'set' && <SetHold id={id} onChanged={changed} onClose={() => setOpen(null)} />}
      {open === 'end' && (
        <ConfirmRemoval
          title={t('retencao.preservado.liberarTitulo')}
          submit={t('retencao.preservado.liberar')}
          path={`/events/${id}/preservar`}
          announcement={t('retencao.preservado.liberado')}
          onRemoved={changed}
          onClose={() => setOpen(null)}
        >
          <p>{t('retencao.preservado.liberarTexto')}</p>
        </ConfirmRemoval>
      )}
    </div>
  )
}

interface SetHoldProps {
  readonly id: number
  readonly onChanged: () => void
  readonly onClose: () => void
}

function SetHold({ id, onChanged, onClose }: SetHoldProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const announce = useAnnounce()
  const form = useApiForm<'motivo' | 'ate', 'semMotivo' | 'semData'>({
    initial: { motivo: '', ate: '' },
    check: ({ motivo, ate }) => ({
      ...(motivo.trim() === '' && { motivo: 'semMotivo' as const }),
      ...(endOf(ate) === null && { ate: 'semData' as const }),
    }),
    sentence: (problem) => t(`retencao.preservado.${problem}`),
  })
  const change = useMutation({
    mutationFn: ({ motivo, ate }: { readonly motivo: string; readonly ate: string }) =>
      api.send('POST', `/events/${id}/preservar`, { motivo, ate: endOf(ate) }, preservacaoSchema),
    onSuccess() {
      onChanged()
      announce(t('retencao.preservado.anuncio'))
      onClose()
    },
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('retencao.preservado.titulo')}
      submit={t('retencao.preservado.preservar')}
      busy={change.isPending}
      form={form}
      onClose={onClose}
      onSubmit={(values) => change.mutate(values)}
    >
      <p>{t('retencao.preservado.ajuda')}</p>
      <TextInput
        label={t('retencao.preservado.motivo')}
        maxLength={500}
        autoComplete="off"
        data-autofocus
        {...form.field('motivo')}
      />
      <TextInput type="date" label={t('retencao.preservado.ate')} {...form.field('ate')} />
    </FormDialog>
  )
}

/** End of a calendar day of the browser; null: no day in the future. */
function endOf(day: string): string | null {
  const end = new Date(`${day}T23:59:59`).getTime()
  return end > Date.now() ? new Date(end).toISOString() : null
}
