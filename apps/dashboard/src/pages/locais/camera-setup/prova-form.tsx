import { Alert, Button, NativeSelect, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { PROVA_MAXIMA_S, type ProvaCreate, provaSchema } from '@vigia/contracts/provas'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import classes from './camera.module.css'
import { ProvaOutcome } from './prova-outcome.tsx'
import type { Walk } from './walk.ts'

export interface ProvaFormProps {
  readonly cameraId: number
  readonly walk: Walk
  /** Default of the decision: an alert was confirmed. */
  readonly approved: boolean
  readonly onDone: () => void
}

/** Decision and note of a finished walk test, which are then stored. */
export function ProvaForm({ cameraId, walk, approved, onDone }: ProvaFormProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const form = useApiForm({
    initial: { aprovada: approved ? 'sim' : 'nao', nota: '' },
    check: () => ({}),
    sentence: (problem: string) => problem,
  })
  const record = useMutation({
    mutationFn(body: ProvaCreate) {
      return api.send('POST', `/cameras/${cameraId}/provas`, body, provaSchema)
    },
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['provas', cameraId] })
      announce(t('camera.prova.guardada'))
      onDone()
    },
    onError: form.refuse,
  })
  const send = (values: { aprovada: string; nota: string }) => {
    // The record ends now, so that it begins as long ago as the walk did.
    const duracao = Math.ceil((Date.now() - walk.startedAt) / 1000)
    record.mutate({
      duracao_s: Math.min(PROVA_MAXIMA_S, Math.max(1, duracao)),
      aprovada: values.aprovada === 'sim',
      nota: values.nota.trim().replace(/\s*\n\s*/g, ' · ') || null,
      rotulos: [...walk.seen.rotulos],
      zonas: [...walk.seen.zonas],
      tela_ms: walk.telaMs,
      encerrada_s: Math.min(PROVA_MAXIMA_S, Math.ceil(((walk.endedAt ?? Date.now()) - walk.startedAt) / 1000)),
    })
  }
  return (
    <form
      className={classes.card}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.submit(send)
      }}
    >
      <h2>{t('camera.prova.resultado')}</h2>
      <div role="status">{walk.andamento && <ProvaOutcome prova={walk.andamento} />}</div>
      {form.failure && (
        <Alert color="red" variant="light" role="alert">
          {form.failure}
        </Alert>
      )}
      <NativeSelect
        label={t('camera.prova.aprovada')}
        description={t('camera.prova.aprovadaAjuda')}
        data={[
          { value: 'sim', label: t('camera.prova.sim') },
          { value: 'nao', label: t('camera.prova.nao') },
        ]}
        {...form.field('aprovada')}
      />
      <Textarea
        label={t('camera.prova.nota')}
        placeholder={t('camera.prova.notaExemplo')}
        rows={3}
        maxLength={500}
        {...form.field('nota')}
      />
      <div className={classes.saveButtons}>
        <Button variant="default" onClick={onDone}>
          {t('camera.prova.descartar')}
        </Button>
        <Button type="submit" loading={record.isPending}>
          {t('camera.prova.guardar')}
        </Button>
      </div>
    </form>
  )
}
