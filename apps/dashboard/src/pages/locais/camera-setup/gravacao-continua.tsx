import { Alert, Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { gravacaoContinuaSchema } from '@vigia/contracts/gravacao-continua'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useCamera, useMayWrite } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { gravacaoContinuaQuery } from './camera-queries.ts'

/** Continuous recording of the camera on its edge: the switch, and what is held. */
export function GravacaoContinua() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const camera = useCamera()
  const mayWrite = useMayWrite()
  const [ending, setEnding] = useState(false)
  const query = gravacaoContinuaQuery(api, camera.id)
  const { data } = useQuery(query)
  const change = useMutation({
    mutationFn: (ligada: boolean) =>
      api.send('PUT', `/cameras/${camera.id}/gravacao-continua`, { ligada }, gravacaoContinuaSchema),
    onSuccess(saved) {
      queries.setQueryData(query.queryKey, saved)
      setEnding(false)
      announce(t(`camera.gravacaoContinua.situacao.${saved.situacao}`))
    },
  })
  if (!data || (!mayWrite && !data.ligada)) return null
  const failure = change.error ? formErrors(change.error, []).general : null
  return (
    <section className={classes.card} aria-labelledby="gravacao-continua">
      <h2 id="gravacao-continua">{t('camera.gravacaoContinua.titulo')}</h2>
      {mayWrite && (
        <Switch
          label={t('camera.gravacaoContinua.ligar')}
          description={t('camera.gravacaoContinua.ajuda')}
          checked={data.ligada}
          disabled={change.isPending}
          error={ending ? null : failure}
          onChange={(event) => (event.currentTarget.checked ? change.mutate(true) : setEnding(true))}
        />
      )}
      <p>{t(`camera.gravacaoContinua.situacao.${data.situacao}`)}</p>
      {data.detalhe && (
        <Alert color="yellow" variant="light" role="status">
          {data.detalhe}
        </Alert>
      )}
      {data.ligada && <Held {...data} />}
      {mayWrite && <Soft>{t('camera.gravacaoContinua.lgpd')}</Soft>}
      {ending && (
        <Dialog
          danger
          title={t('camera.gravacaoContinua.desligarTitulo')}
          submit={t('camera.gravacaoContinua.desligar')}
          busy={change.isPending}
          failure={failure}
          onClose={() => setEnding(false)}
          onSubmit={() => change.mutate(false)}
        >
          <p>{t('camera.gravacaoContinua.desligarTexto')}</p>
        </Dialog>
      )}
    </section>
  )
}

function Held({ de, ate, mb }: { de: string | null; ate: string | null; mb: number | null }) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(useCamera().empresa_id)
  if (de === null || ate === null) return <p>{t('camera.gravacaoContinua.nada')}</p>
  const [from, to] = [formatFull(de, fuso), formatFull(ate, fuso)]
  return <p>{t('camera.gravacaoContinua.guardado', { de: from, ate: to, mb: formatNumber(mb ?? 0) })}</p>
}
