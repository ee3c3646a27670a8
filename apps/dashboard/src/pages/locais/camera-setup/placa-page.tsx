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
import { platesOf, textOfPlates } from './own-plates.ts'
import { PlateLists, type PlateTexts } from './plate-lists.tsx'
import { PlateReading } from './plate-reading.tsx'
import { PlateRegion, regionDrawing, regionOf } from './plate-region.tsx'
import { thresholdName, thresholds } from './plate-thresholds.ts'
import { SaveBar } from './save-bar.tsx'
import { useCameraSave } from './use-camera-save.ts'
import { useShapes } from './use-shapes.ts'

const FIELDS = ['modo_b_config'] as const
const fields = fieldsOf(modoBConfigSchema.shape)
const configOf = (stored: ModoBConfig | null): ModoBConfig => stored ?? modoBConfigSchema.parse({ ativo: false })

/** A role; only a camera of both ways has a direction of entry. */
const roleOf = (papel: ModoBConfig['papel'], { sentido_entrada }: ModoBConfig) => ({
  papel,
  sentido_entrada: papel === 'ambos' ? (sentido_entrada ?? 'ab') : null,
})

const textsOf = ({ permitidas, bloqueadas }: ModoBConfig): PlateTexts => ({
  permitidas: textOfPlates(permitidas),
  bloqueadas: textOfPlates(bloqueadas),
})

/** Plates of the camera: whether and where they are read, its own lists, and its role at its site. */
export function PlacaPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const stored = configOf(opened.modo_b_config)
  const [config, setConfig] = useState(stored)
  const [lists, setLists] = useState(() => textsOf(stored))
  const shapes = useShapes(regionDrawing(stored.regiao))
  const fieldTexts = useModeBTexts()
  const change = ({ papel, ...part }: Partial<ModoBConfig>) =>
    setConfig((before) => ({ ...before, ...part, ...(papel === undefined ? {} : roleOf(papel, before)) }))
  const needsLocal = config.papel !== 'nenhum' && (config.local ?? '').trim() === ''
  const wanted = {
    ...config,
    regiao: regionOf(shapes.drawing),
    permitidas: platesOf(lists.permitidas),
    bloqueadas: platesOf(lists.bloqueadas),
  }
  const before = { ...stored, regiao: regionOf(regionDrawing(stored.regiao)) }
  const dirty = JSON.stringify(wanted) !== JSON.stringify(before)
  const refused = modoBConfigSchema.safeParse(wanted).error?.issues.map(({ message }) => message) ?? []
  return (
    <div className={classes.narrow}>
      <Soft>{t('placas.camera.ajuda')}</Soft>
      <SchemaFields
        fields={fields}
        values={config}
        onChange={change}
        textsOf={fieldTexts}
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
      <PlateRegion shapes={shapes} />
      <PlateLists texts={lists} onChange={setLists} />
      <GateFields empresaId={opened.empresa_id} portao={config.portao} onChange={(portao) => change({ portao })} />
      <PlateReading cameraId={opened.id} />
      <SaveBar
        save={save}
        patch={dirty ? { modo_b_config: wanted } : null}
        problems={needsLocal ? [t('placas.camera.localFalta')] : [...new Set(refused)]}
        onReset={({ modo_b_config }) => {
          const next = configOf(modo_b_config)
          setConfig(next)
          setLists(textsOf(next))
          shapes.reset(regionDrawing(next.regiao))
        }}
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
