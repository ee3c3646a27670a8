import { Button, Switch, TextInput } from '@mantine/core'
import { IconArrowsExchange, IconLine } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Point } from '@vigia/ias/geometry'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FrameDetections } from '../../../domains/video/aovivo/mjpeg-parser.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import {
  type Drawing,
  drawingOf,
  type Forms,
  formsOf,
  isSame,
  linhaOf,
  MAX_NOME,
  nameZona,
  problemsOf,
  turnLinha,
  zonasOf,
} from './drawing.ts'
import { amend, step } from './edit-history.ts'
import { HistoryButtons } from './history-buttons.tsx'
import { lineDirection } from './line-direction.ts'
import { SaveBar } from './save-bar.tsx'
import type { CameraChange } from './save-camera.ts'
import { ShapeList } from './shape-list.tsx'
import { ShapeTools } from './shape-tools.tsx'
import { ShapesBoard } from './shapes-board.tsx'
import { useCameraSave } from './use-camera-save.ts'
import { useShapes } from './use-shapes.ts'

const FIELDS = ['zonas', 'nomes_zonas', 'linha', 'imagem_inteira'] as const

/** Where a line begins that was added by a button: a keyboard can then move its ends. */
const LINE: readonly [Point, Point] = [
  { x: 0.2, y: 0.6 },
  { x: 0.8, y: 0.6 },
]

/** The fields that differ from the opened camera, in its own form; null: none. */
function patchOf(before: Drawing, drawing: Drawing, forms: Forms): CameraChange | null {
  const patch: CameraChange = {
    // Names belong to positions, so that both are sent together.
    ...(!isSame({ ...before, linha: null }, { ...drawing, linha: null }) && {
      zonas: zonasOf(drawing, forms.zonas).map((inner) => [...inner]),
      nomes_zonas: [...drawing.nomes],
    }),
    ...(JSON.stringify(before.linha) !== JSON.stringify(drawing.linha) && {
      linha: linhaOf(drawing, forms.linha).map((inner) => [...inner]),
    }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

/** Editor of the zones and the line, on the live picture. */
export function ZonasPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS, 'geometria')
  const { opened } = save
  const shapes = useShapes(drawingOf(opened))
  const { drawing, selected, draft, addLine, setDraft } = shapes
  const [detections, setDetections] = useState<FrameDetections>(null)
  const [showDetections, setShowDetections] = useState(true)
  const direcao = lineDirection(opened)

  const [whole, setWhole] = useState(opened.imagem_inteira)
  const forms = formsOf(opened)
  const drawn = patchOf(drawingOf(opened), drawing, forms)
  // A drawn zone takes it back by itself.
  const chosen = drawing.zonas.length === 0 && whole !== opened.imagem_inteira ? { imagem_inteira: whole } : null
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <ShapesBoard
          shapes={shapes}
          drawing={drawing}
          direcao={direcao}
          onDetections={setDetections}
          detections={showDetections ? detections : null}
        />
        <Soft id="teclas-do-editor">
          {draft ? t(`camera.zonas.desenhando.${draft.kind}`) : t('camera.zonas.ajuda')}
        </Soft>
        <Switch
          label={t('camera.zonas.mostrarCaixas')}
          checked={showDetections}
          onChange={(event) => setShowDetections(event.currentTarget.checked)}
        />
      </div>
      <div className={classes.side}>
        <ShapeTools shapes={shapes} finish={t('camera.zonas.concluir')} draw={t('camera.zonas.desenharZona')}>
          {drawing.linha === null && (
            <>
              <Button
                variant="default"
                leftSection={<IconLine size={18} />}
                onClick={() => setDraft({ kind: 'linha', points: [] })}
              >
                {t('camera.zonas.desenharLinha')}
              </Button>
              <Button variant="default" leftSection={<IconLine size={18} />} onClick={() => addLine(LINE)}>
                {t('camera.zonas.linhaNoMeio')}
              </Button>
            </>
          )}
        </ShapeTools>
        <HistoryButtons {...shapes} />
        {drawing.zonas.length === 0 && (
          <>
            <Soft>{t('camera.zonas.semZona')}</Soft>
            <Switch
              label={t('camera.zonas.imagemInteira')}
              description={t('camera.zonas.imagemInteiraAjuda')}
              checked={whole}
              onChange={(event) => setWhole(event.currentTarget.checked)}
            />
          </>
        )}
        {drawing.linha === null && <Soft>{t('camera.zonas.semLinha')}</Soft>}
        <ShapeList
          drawing={drawing}
          label={t('camera.zonas.lista')}
          selected={selected}
          onSelect={shapes.select}
          onRemove={shapes.remove}
        />
        {selected?.kind === 'zona' && (
          <NameField
            key={selected.index}
            numero={selected.index + 1}
            nome={drawing.nomes[selected.index] ?? ''}
            onChange={(text, first) =>
              // One step of the undo history for the whole name.
              shapes.setHistory((now) => (first ? step : amend)(now, nameZona(now.present, selected.index, text)))
            }
          />
        )}
        {drawing.linha !== null && (
          <LineFacts
            direcao={direcao}
            id={String(opened.id)}
            onTurn={() => {
              shapes.change(turnLinha(drawing))
              shapes.select({ kind: 'linha' })
            }}
          />
        )}
        <SaveBar
          save={save}
          patch={drawn === null && chosen === null ? null : { ...drawn, ...chosen }}
          problems={problemsOf(drawing, forms)}
          onReset={(stored) => {
            shapes.reset(drawingOf(stored))
            setWhole(stored.imagem_inteira)
          }}
        />
      </div>
    </div>
  )
}

interface NameFieldProps {
  readonly numero: number
  readonly nome: string
  /** `first`: the first change since the field got the focus. */
  readonly onChange: (text: string, first: boolean) => void
}

function NameField({ numero, nome, onChange }: NameFieldProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(nome)
  const first = useRef(true)
  return (
    <TextInput
      label={t('camera.zonas.nome', { numero })}
      description={t('camera.zonas.nomeAjuda')}
      placeholder={t('camera.zonas.nomeExemplo')}
      // The drawing holds the name without the blanks at its ends.
      value={text.trim() === nome ? text : nome}
      maxLength={MAX_NOME}
      autoComplete="off"
      onFocus={() => {
        first.current = true
      }}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(event.currentTarget.value, first.current)
        first.current = false
      }}
    />
  )
}

function LineFacts({ direcao, id, onTurn }: { direcao: number; id: string; onTurn: () => void }) {
  const { t } = useTranslation()
  const sense = direcao === 1 ? 'ab' : direcao === 2 ? 'ba' : 'ambos'
  return (
    <div className={classes.facts}>
      <p>
        {t(`camera.zonas.sentido.${sense}`)}{' '}
        <Link to="/cameras/$id/o-que-vigia/sensibilidade" params={{ id }} className={classes.link}>
          {t('camera.zonas.mudarSentido')}
        </Link>
      </p>
      <Button variant="default" leftSection={<IconArrowsExchange size={18} />} onClick={onTurn}>
        {t('camera.zonas.inverter')}
      </Button>
    </div>
  )
}
