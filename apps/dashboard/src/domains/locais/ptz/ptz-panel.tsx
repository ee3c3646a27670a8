import { Alert, Button, Loader, NativeSelect } from '@mantine/core'
import { IconArrowsMove, IconHome, IconHomeCheck } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { type MovimentoPtz, type Preset, type Ptz, ptzSchema } from '@vigia/contracts/ptz'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Soft } from '../../../ui/page.tsx'
import { useMayWork, useMayWrite } from '../cameras/use-camera.tsx'
import { Joystick } from './joystick.tsx'
import classes from './ptz.module.css'
import { createPtzMover } from './ptz-mover.ts'
import { presetsQuery, ptzQuery } from './ptz-queries.ts'

/** Moves a camera of an ONVIF recorder. Nothing is asked of the device before the panel is opened. */
export function PtzPanel({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const mayWork = useMayWork()
  const [open, setOpen] = useState(false)
  const { data: ptz } = useQuery({ ...ptzQuery(api, camera.id), enabled: camera.ativa })
  if (!ptz?.disponivel || !camera.ativa) return null
  return (
    <section className={classes.panel} aria-label={t('camera.ptz.titulo')}>
      {ptz.fora_da_base && (
        <Alert color="yellow" variant="light">
          {t('camera.ptz.fora')}
        </Alert>
      )}
      {mayWork && (
        <Button
          variant="default"
          leftSection={<IconArrowsMove size={18} aria-hidden="true" />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('camera.ptz.titulo')}
        </Button>
      )}
      {open && <Controls camera={camera} ptz={ptz} />}
    </section>
  )
}

function Controls({ camera, ptz }: { camera: Camera; ptz: Ptz }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { data: presets, error } = useQuery(presetsQuery(api, camera.id))
  const move = useMutation({
    mutationFn: (movimento: MovimentoPtz) => api.send('POST', `/cameras/${camera.id}/ptz`, movimento, ptzSchema),
    onSuccess: (state) => queries.setQueryData(ptzQuery(api, camera.id).queryKey, state),
    onError: () => queries.invalidateQueries({ queryKey: ptzQuery(api, camera.id).queryKey, exact: true }),
  })
  const { mutateAsync } = move
  const [mover] = useState(() => createPtzMover((movimento) => mutateAsync(movimento)))
  if (error) return <Soft>{formErrors(error, []).general}</Soft>
  if (!presets) return <Loader size="sm" aria-label={t('camera.ptz.abrindo')} />
  return (
    <>
      <Soft role="status">
        {ptz.em_uso && !ptz.em_uso.meu ? t('camera.ptz.emUso', { por: ptz.em_uso.por }) : t('camera.ptz.ajuda')}
      </Soft>
      <Joystick mover={mover} />
      <Positions presets={presets} onMove={(movimento) => move.mutate(movimento)} />
      {move.error && (
        <p className={classes.failure} role="alert">
          {formErrors(move.error, []).general}
        </p>
      )}
    </>
  )
}

/** Presets and the home position. */
function Positions({ presets, onMove }: { presets: readonly Preset[]; onMove: (movimento: MovimentoPtz) => void }) {
  const { t } = useTranslation()
  const announce = useAnnounce()
  const mayWrite = useMayWrite()
  const [preset, setPreset] = useState(presets[0]?.preset ?? '')
  return (
    <>
      {presets.length > 0 && (
        <div className={classes.row}>
          <NativeSelect
            label={t('camera.ptz.preset')}
            data={presets.map(({ preset: value, nome }) => ({ value, label: nome }))}
            value={preset}
            onChange={(event) => setPreset(event.currentTarget.value)}
          />
          <Button variant="default" onClick={() => onMove({ acao: 'preset', preset })}>
            {t('camera.ptz.ir')}
          </Button>
        </div>
      )}
      <div className={classes.row}>
        <Button
          variant="default"
          leftSection={<IconHome size={18} aria-hidden="true" />}
          onClick={() => {
            onMove({ acao: 'base' })
            announce(t('camera.ptz.voltando'))
          }}
        >
          {t('camera.ptz.base')}
        </Button>
        {mayWrite && (
          <Button
            variant="default"
            leftSection={<IconHomeCheck size={18} aria-hidden="true" />}
            onClick={() => onMove({ acao: 'definir_base' })}
          >
            {t('camera.ptz.definirBase')}
          </Button>
        )}
      </div>
      {mayWrite && <Soft>{t('camera.ptz.definirBaseAjuda')}</Soft>}
    </>
  )
}
