import { NativeSelect } from '@mantine/core'
import { type ModoBConfig, modoBConfigSchema } from '@vigia/contracts/cameras'
import { fieldsOf } from '@vigia/contracts/form-fields'
import { direcoesPassagem } from '@vigia/contracts/veiculos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Soft } from '../../../ui/page.tsx'
import { SchemaFields } from '../../../ui/schema-fields.tsx'
import classes from './camera.module.css'
import { GateFields } from './gate-fields.tsx'
import { useModeBTexts } from './mode-b-texts.ts'
import { PlateReading } from './plate-reading.tsx'
import { thresholdName, thresholds } from './plate-thresholds.ts'
import { SaveBar } from './save-bar.tsx'
import { useCameraSave } from './use-camera-save.ts'

const FIELDS = ['modo_b_config'] as const
const fields = fieldsOf(modoBConfigSchema.shape)
const configOf = (stored: ModoBConfig | null): ModoBConfig => stored ?? modoBConfigSchema.parse({ ativo: false })

/** A role; only a camera of both ways has a direction of entry. */
const roleOf = (papel: ModoBConfig['papel'], { sentido_entrada }: ModoBConfig) => ({
  papel,
  sentido_entrada: papel === 'ambos' ? (sentido_entrada ?? 'ab') : null,
})

/** Mode B of the camera: whether plates are read, and the role of the camera at its site. */
export function PlacasPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const [config, setConfig] = useState(() => configOf(opened.modo_b_config))
  const textsOf = useModeBTexts()
  const change = ({ papel, ...part }: Partial<ModoBConfig>) =>
    setConfig((before) => ({ ...before, ...part, ...(papel === undefined ? {} : roleOf(papel, before)) }))
  const needsLocal = config.papel !== 'nenhum' && (config.local ?? '').trim() === ''
  const dirty = JSON.stringify(config) !== JSON.stringify(configOf(opened.modo_b_config))
  return (
    <div className={classes.narrow}>
      <Soft>{t('placas.camera.ajuda')}</Soft>
      <SchemaFields
        fields={fields}
        values={config}
        onChange={change}
        textsOf={textsOf}
        first={['ativo', 'conf_placa', 'papel', 'local', 'sentido_entrada']}
        own={{
          conf_placa: <Certainty conf={config.conf_placa} onChange={change} />,
          ...(config.papel === 'nenhum' ? { local: null } : {}),
          sentido_entrada:
            config.papel === 'ambos' ? (
              <Direction hasLine={opened.linha.length > 0} sentido={config.sentido_entrada ?? 'ab'} onChange={change} />
            ) : null,
        }}
        errors={{ local: needsLocal ? t('placas.camera.localFalta') : undefined }}
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

interface PartProps {
  readonly onChange: (part: Partial<ModoBConfig>) => void
}

/** The threshold of a plate, by a name. */
function Certainty({ conf, onChange }: PartProps & { readonly conf: number }) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={t('placas.camera.certeza')}
      value={thresholdName(conf)}
      data={Object.keys(thresholds).map((value) => ({
        value,
        label: t(`placas.camera.certezas.${value as keyof typeof thresholds}`),
      }))}
      onChange={(event) => onChange({ conf_placa: thresholds[event.currentTarget.value as keyof typeof thresholds] })}
    />
  )
}

interface DirectionProps extends PartProps {
  /** The camera has a line that a vehicle can cross. */
  readonly hasLine: boolean
  readonly sentido: (typeof direcoesPassagem)[number]
}

/** The direction over the line that is the entry. */
function Direction({ hasLine, sentido, onChange }: DirectionProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={t('placas.camera.sentido')}
      value={sentido}
      description={hasLine ? undefined : t('placas.camera.linhaFalta')}
      data={direcoesPassagem.map((value) => ({ value, label: t(`placas.camera.sentidos.${value}`) }))}
      onChange={(event) =>
        onChange({ sentido_entrada: event.currentTarget.value as (typeof direcoesPassagem)[number] })
      }
    />
  )
}
