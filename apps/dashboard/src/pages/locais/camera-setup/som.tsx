import { Alert, Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { audioSchema } from '@vigia/contracts/audio'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCamera, useMayWrite } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { audioQuery } from './camera-queries.ts'

/** Audio of the camera: the switch, and whether the edge sends it. */
export function Som() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const camera = useCamera()
  const mayWrite = useMayWrite()
  const [beginning, setBeginning] = useState(false)
  const query = audioQuery(api, camera.id)
  const { data } = useQuery(query)
  const change = useMutation({
    mutationFn: (ligado: boolean) => api.send('PUT', `/cameras/${camera.id}/audio`, { ligado }, audioSchema),
    onSuccess(saved) {
      queries.setQueryData(query.queryKey, saved)
      setBeginning(false)
      announce(t(`camera.som.situacao.${saved.situacao}`))
    },
  })
  if (!data || (!mayWrite && !data.ligado)) return null
  const failure = change.error ? formErrors(change.error, []).general : null
  return (
    <section className={classes.card} aria-labelledby="som">
      <h2 id="som">{t('camera.som.titulo')}</h2>
      {mayWrite && (
        <Switch
          label={t('camera.som.ligar')}
          description={t('camera.som.ajuda')}
          checked={data.ligado}
          disabled={change.isPending}
          error={beginning ? null : failure}
          onChange={(event) => (event.currentTarget.checked ? setBeginning(true) : change.mutate(false))}
        />
      )}
      <p>{t(`camera.som.situacao.${data.situacao}`)}</p>
      {data.detalhe && (
        <Alert color="yellow" variant="light" role="status">
          {data.detalhe}
        </Alert>
      )}
      {mayWrite && <Soft>{t('camera.som.lgpd')}</Soft>}
      {beginning && (
        <Dialog
          title={t('camera.som.ligarTitulo')}
          submit={t('camera.som.confirmar')}
          busy={change.isPending}
          failure={failure}
          onClose={() => {
            change.reset()
            setBeginning(false)
          }}
          onSubmit={() => change.mutate(true)}
        >
          <p>{t('camera.som.lgpd')}</p>
          <p>{t('camera.som.auditoria')}</p>
        </Dialog>
      )}
    </section>
  )
}
