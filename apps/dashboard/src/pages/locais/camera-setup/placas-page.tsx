import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { type ModoBConfig, modoBConfigSchema, papeisCamera } from '@vigia/contracts/cameras'
import { direcoesPassagem } from '@vigia/contracts/veiculos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './camera.module.css'
import { GateFields } from './gate-fields.tsx'
import { PlateReading } from './plate-reading.tsx'
import { thresholdName, thresholds } from './plate-thresholds.ts'
import { SaveBar } from './save-bar.tsx'
import { useCameraSave } from './use-camera-save.ts'

const FIELDS = ['modo_b_config'] as const
const configOf = (stored: ModoBConfig | null): ModoBConfig => stored ?? modoBConfigSchema.parse({ ativo: false })

/** Mode B of the camera: whether plates are read, and the role of the camera at its site. */
export function PlacasPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const [config, setConfig] = useState(() => configOf(opened.modo_b_config))
  const change = (part: Partial<ModoBConfig>) => setConfig((before) => ({ ...before, ...part }))
  const needsLocal = config.papel !== 'nenhum' && (config.local ?? '').trim() === ''
  const dirty = JSON.stringify(config) !== JSON.stringify(configOf(opened.modo_b_config))
  return (
    <div className={classes.narrow}>
      <p className={classes.soft}>{t('placas.camera.ajuda')}</p>
      <Switch
        label={t('placas.camera.ativo')}
        checked={config.ativo}
        onChange={(event) => change({ ativo: event.currentTarget.checked })}
      />
      <NativeSelect
        label={t('placas.camera.certeza')}
        value={thresholdName(config.conf_placa)}
        data={Object.keys(thresholds).map((value) => ({
          value,
          label: t(`placas.camera.certezas.${value as keyof typeof thresholds}`),
        }))}
        onChange={(event) => change({ conf_placa: thresholds[event.currentTarget.value as keyof typeof thresholds] })}
      />
      <NativeSelect
        label={t('placas.camera.papel')}
        value={config.papel}
        data={papeisCamera.map((value) => ({ value, label: t(`placas.camera.papeis.${value}`) }))}
        onChange={(event) => {
          const papel = event.currentTarget.value as ModoBConfig['papel']
          change({ papel, sentido_entrada: papel === 'ambos' ? (config.sentido_entrada ?? 'ab') : null })
        }}
      />
      {config.papel !== 'nenhum' && (
        <TextInput
          label={t('placas.camera.local')}
          placeholder={t('placas.camera.localExemplo')}
          maxLength={80}
          value={config.local ?? ''}
          error={needsLocal ? t('placas.camera.localFalta') : undefined}
          onChange={(event) => change({ local: event.currentTarget.value || null })}
        />
      )}
      {config.papel === 'ambos' && (
        <NativeSelect
          label={t('placas.camera.sentido')}
          value={config.sentido_entrada ?? 'ab'}
          description={opened.linha.length === 0 ? t('placas.camera.linhaFalta') : undefined}
          data={direcoesPassagem.map((value) => ({ value, label: t(`placas.camera.sentidos.${value}`) }))}
          onChange={(event) =>
            change({ sentido_entrada: event.currentTarget.value as (typeof direcoesPassagem)[number] })
          }
        />
      )}
      <Switch
        label={t('placas.camera.desconhecidas')}
        checked={config.alertar_desconhecidas}
        onChange={(event) => change({ alertar_desconhecidas: event.currentTarget.checked })}
      />
      <Switch
        label={t('placas.camera.permitidas')}
        checked={config.alertar_permitidas}
        onChange={(event) => change({ alertar_permitidas: event.currentTarget.checked })}
      />
      <GateFields empresaId={opened.empresa_id} portao={config.portao} onChange={(portao) => change({ portao })} />
      <PlateReading cameraId={opened.id} />
      <SaveBar
        save={save}
        patch={dirty ? { modo_b_config: config } : null}
        problems={needsLocal ? [t('placas.camera.localFalta')] : []}
        onReset={(stored) => setConfig(configOf(stored.modo_b_config))}
      />
    </div>
  )
}
