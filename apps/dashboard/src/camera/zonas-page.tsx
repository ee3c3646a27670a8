import { Button, Switch, TextInput } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsExchange,
  IconLine,
  IconPolygon,
  IconRectangle,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Point } from '@vigia/ias/geometry'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FrameDetections } from '../aovivo/mjpeg-parser.ts'
import { Board } from './board.tsx'
import classes from './camera.module.css'
import {
  addZona,
  type Drawing,
  drawingOf,
  type Forms,
  formsOf,
  isSame,
  linhaOf,
  MAX_NOME,
  nameZona,
  onGrid,
  problemsOf,
  removeShape,
  type Shape,
  setLinha,
  turnLinha,
  zonasOf,
} from './drawing.ts'
import { amend, redo, startHistory, step, undo } from './edit-history.ts'
import { lineDirection } from './line-direction.ts'
import { SaveBar } from './save-bar.tsx'
import type { CameraChange } from './save-camera.ts'
import { ShapeEditor } from './shape-editor.tsx'
import { useShapeName } from './shape-name.ts'
import { useCameraSave } from './use-camera-save.ts'

const FIELDS = ['zonas', 'nomes_zonas', 'linha'] as const

/** Where a zone and a line begin that were added by a button: a keyboard can then move them. */
const RECTANGLE: readonly Point[] = [
  { x: 0.3, y: 0.3 },
  { x: 0.7, y: 0.3 },
  { x: 0.7, y: 0.8 },
  { x: 0.3, y: 0.8 },
]
const LINE: readonly [Point, Point] = [
  { x: 0.2, y: 0.6 },
  { x: 0.8, y: 0.6 },
]

interface Draft {
  readonly kind: Shape['kind']
  readonly points: readonly Point[]
}

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
  const [history, setHistory] = useState(() => startHistory(drawingOf(opened)))
  const [selected, setSelected] = useState<Shape | null>(null)
  const [draft, setDraft] = useState<Draft | null>(null)
  const [detections, setDetections] = useState<FrameDetections>(null)
  const [showDetections, setShowDetections] = useState(true)
  const drawing = history.present
  const direcao = lineDirection(opened)

  const change = (next: Drawing) => setHistory((now) => step(now, next))
  const add = (next: Drawing, shape: Shape) => {
    change(next)
    setSelected(shape)
    setDraft(null)
  }
  const addZone = (points: readonly Point[]) =>
    add(addZona(drawing, points), { kind: 'zona', index: drawing.zonas.length })
  const addLine = ([from, to]: readonly [Point, Point]) => add(setLinha(drawing, from, to), { kind: 'linha' })
  const draw = (point: Point) => {
    if (draft === null) return
    const points = [...draft.points, onGrid(point)]
    const [from, to] = points
    if (draft.kind === 'linha' && from && to) addLine([from, to])
    else setDraft({ ...draft, points })
  }
  const remove = (shape: Shape) => {
    change(removeShape(drawing, shape))
    setSelected(null)
  }
  const goTo = (move: typeof undo) => {
    setHistory(move)
    setSelected(null)
  }

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDraft(null)
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
      event.preventDefault()
      setHistory(event.shiftKey ? redo : undo)
      setSelected(null)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])

  const forms = formsOf(opened)
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <Board onDetections={setDetections} detections={showDetections ? detections : null}>
          {(size) => (
            <ShapeEditor
              drawing={drawing}
              size={size}
              direcao={direcao}
              selected={selected}
              draft={draft?.points ?? null}
              onSelect={setSelected}
              onChange={change}
              onDraftPoint={draw}
            />
          )}
        </Board>
        <p className={classes.soft} id="teclas-do-editor">
          {draft ? t(`camera.zonas.desenhando.${draft.kind}`) : t('camera.zonas.ajuda')}
        </p>
        <Switch
          label={t('camera.zonas.mostrarCaixas')}
          checked={showDetections}
          onChange={(event) => setShowDetections(event.currentTarget.checked)}
        />
      </div>
      <div className={classes.side}>
        <div className={classes.tools}>
          {draft ? (
            <>
              {draft.kind === 'zona' && (
                <Button disabled={draft.points.length < 3} onClick={() => addZone(draft.points)}>
                  {t('camera.zonas.concluir')}
                </Button>
              )}
              <Button variant="default" onClick={() => setDraft(null)}>
                {t('comum.cancelar')}
              </Button>
            </>
          ) : (
            <>
              <Button
                variant="default"
                leftSection={<IconPolygon size={18} />}
                onClick={() => setDraft({ kind: 'zona', points: [] })}
              >
                {t('camera.zonas.desenharZona')}
              </Button>
              <Button variant="default" leftSection={<IconRectangle size={18} />} onClick={() => addZone(RECTANGLE)}>
                {t('camera.zonas.retangulo')}
              </Button>
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
            </>
          )}
        </div>
        <div className={classes.tools}>
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={18} />}
            disabled={history.past.length === 0}
            onClick={() => goTo(undo)}
          >
            {t('camera.zonas.desfazer')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconArrowForwardUp size={18} />}
            disabled={history.future.length === 0}
            onClick={() => goTo(redo)}
          >
            {t('camera.zonas.refazer')}
          </Button>
        </div>
        <Shapes drawing={drawing} selected={selected} onSelect={setSelected} onRemove={remove} />
        {selected?.kind === 'zona' && (
          <NameField
            key={selected.index}
            numero={selected.index + 1}
            nome={drawing.nomes[selected.index] ?? ''}
            onChange={(text, first) =>
              // One step of the undo history for the whole name.
              setHistory((now) => (first ? step : amend)(now, nameZona(now.present, selected.index, text)))
            }
          />
        )}
        {drawing.linha !== null && (
          <LineFacts
            direcao={direcao}
            id={String(opened.id)}
            onTurn={() => {
              change(turnLinha(drawing))
              setSelected({ kind: 'linha' })
            }}
          />
        )}
        <SaveBar
          save={save}
          patch={patchOf(drawingOf(opened), drawing, forms)}
          problems={problemsOf(drawing, forms)}
          onReset={(stored) => {
            setHistory((now) => step(now, drawingOf(stored)))
            setSelected(null)
            setDraft(null)
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

interface ShapesProps {
  readonly drawing: Drawing
  readonly selected: Shape | null
  readonly onSelect: (shape: Shape) => void
  readonly onRemove: (shape: Shape) => void
}

function Shapes({ drawing, selected, onSelect, onRemove }: ShapesProps) {
  const { t } = useTranslation()
  const shapes: Shape[] = [
    ...drawing.zonas.map((_zona, index): Shape => ({ kind: 'zona', index })),
    ...(drawing.linha ? [{ kind: 'linha' } as const] : []),
  ]
  const say = useShapeName()
  const nameOf = (shape: Shape) => say(drawing, shape)
  const isSelected = (shape: Shape) => JSON.stringify(shape) === JSON.stringify(selected)
  return (
    <>
      {drawing.zonas.length === 0 && <p className={classes.soft}>{t('camera.zonas.semZona')}</p>}
      {drawing.linha === null && <p className={classes.soft}>{t('camera.zonas.semLinha')}</p>}
      {shapes.length > 0 && (
        <ul className={classes.shapes} aria-label={t('camera.zonas.lista')}>
          {shapes.map((shape) => (
            <li key={shape.kind === 'zona' ? shape.index : 'linha'}>
              <Button
                variant={isSelected(shape) ? 'filled' : 'default'}
                aria-pressed={isSelected(shape)}
                onClick={() => onSelect(shape)}
              >
                {nameOf(shape)}
              </Button>
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconTrash size={17} />}
                aria-label={t('camera.zonas.removerNome', { nome: nameOf(shape) })}
                onClick={() => onRemove(shape)}
              >
                {t('camera.zonas.remover')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function LineFacts({ direcao, id, onTurn }: { direcao: number; id: string; onTurn: () => void }) {
  const { t } = useTranslation()
  const sense = direcao === 1 ? 'ab' : direcao === 2 ? 'ba' : 'ambos'
  return (
    <div className={classes.facts}>
      <p>
        {t(`camera.zonas.sentido.${sense}`)}{' '}
        <Link to="/cameras/$id/sensibilidade" params={{ id }} className={classes.link}>
          {t('camera.zonas.mudarSentido')}
        </Link>
      </p>
      <Button variant="default" leftSection={<IconArrowsExchange size={18} />} onClick={onTurn}>
        {t('camera.zonas.inverter')}
      </Button>
    </div>
  )
}
