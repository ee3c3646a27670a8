import { Alert, Button, Checkbox, TextInput } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { perfil } from '@vigia/contracts/perfis'
import { hasPlaca } from '@vigia/contracts/plates-ia'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { putCamera } from '../../../domains/locais/cameras/put-camera.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { hasWords } from '../../../texts/plain.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Soft } from '../../../ui/page.tsx'
import { WindowedList } from '../../../ui/windowed-list.tsx'
import { type BulkAction, type BulkChange, bulkChanges, eachAtMost } from './bulk-change.ts'
import { BulkChoice } from './bulk-choice.tsx'
import classes from './camera.module.css'
import { ChangeList } from './change-list.tsx'
import { saveCamera } from './save-camera.ts'
import listClasses from './varias-page.module.css'

/** Requests at a time: the API runs four of one Empresa, and the page of another person needs one of them. */
const WIDTH = 3

/** First estimate of the height of a camera, px. */
const ROW_PX = 34
const keyOf = ({ id }: Camera) => id

type Outcome = 'indo' | 'feito' | { readonly failure: string }

/** Applies a Perfil, an Agenda or IAs to many cameras, after a preview of each camera's changes. */
export function VariasPage() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { empresa } = useSearch({ from: '/painel' })
  const { data, error, refetch } = useQuery(camerasQuery(api, empresa ?? null))
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [action, setAction] = useState<BulkAction | null>(null)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [busy, setBusy] = useState(false)
  usePageTitle(t('camera.varias.titulo'))

  const cameras = data ?? []
  const shown = useMemo(() => (data ?? []).filter(({ nome }) => hasWords(text, [nome])), [data, text])
  const marked = cameras.filter(({ id }) => chosen.has(id))
  const changes = action === null ? [] : bulkChanges(marked, action)
  const due = changes.filter((one) => one.changes.length > 0)
  const set = (id: number, outcome: Outcome) => setOutcomes((now) => new Map(now).set(id, outcome))

  const saveOne = async ({ camera, patch }: BulkChange) => {
    set(camera.id, 'indo')
    try {
      const result = await saveCamera(api, camera, patch)
      putCamera(queries, result.camera)
      set(camera.id, result.kind === 'saved' ? 'feito' : { failure: t('camera.varias.mudou') })
    } catch (failure) {
      set(camera.id, { failure: formErrors(failure, []).general ?? t('painel.falhou') })
    }
  }
  const apply = async () => {
    setBusy(true)
    setOutcomes(new Map())
    await eachAtMost(due, WIDTH, saveOne)
    setBusy(false)
    announce(t('camera.varias.terminou'))
  }
  const mark = (ids: readonly number[], on: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) on ? next.add(id) : next.delete(id)
    setChosen(next)
    setOutcomes(new Map())
  }
  const readsPlates = action?.kind === 'perfil' && hasPlaca(perfil(action.nome).ias) ? action.placas : null
  const setPlates = (id: number, on: boolean) => {
    if (action?.kind !== 'perfil') return
    const placas = new Set(action.placas)
    on ? placas.add(id) : placas.delete(id)
    setAction({ ...action, placas })
  }
  const failed = [...outcomes.values()].filter((one) => typeof one === 'object').length
  const done = [...outcomes.values()].filter((one) => one === 'feito').length
  const shownIds = shown.map(({ id }) => id)
  const all = shownIds.length > 0 && shownIds.every((id) => chosen.has(id))

  return (
    <>
      <div className={classes.head}>
        <Link to="/cameras" className={classes.back}>
          <IconChevronLeft size={18} aria-hidden="true" /> {t('cameras.titulo')}
        </Link>
        <div className={classes.name}>
          <h1>{t('camera.varias.titulo')}</h1>
        </div>
        <Soft>{t('camera.varias.ajuda')}</Soft>
      </div>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      <div className={classes.columns}>
        <section className={classes.card} aria-labelledby="quais">
          <h2 id="quais">{t('camera.varias.quais')}</h2>
          <TextInput
            label={t('camera.varias.procurar')}
            value={text}
            autoComplete="off"
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Checkbox
            label={t('camera.varias.todas', { count: shown.length })}
            checked={all}
            indeterminate={!all && shownIds.some((id) => chosen.has(id))}
            disabled={busy || shown.length === 0}
            onChange={(event) => mark(shownIds, event.currentTarget.checked)}
          />
          <WindowedList label={t('cameras.titulo')} rows={shown} keyOf={keyOf} rowPx={ROW_PX}>
            {(camera) => (
              <CameraRow
                camera={camera}
                checked={chosen.has(camera.id)}
                disabled={busy}
                change={changes.find((one) => one.camera.id === camera.id) ?? null}
                outcome={outcomes.get(camera.id) ?? null}
                onMark={(on) => mark([camera.id], on)}
                plates={readsPlates?.has(camera.id) ?? null}
                onPlates={(on) => setPlates(camera.id, on)}
              />
            )}
          </WindowedList>
        </section>
        <section className={classes.card} aria-labelledby="o-que">
          <h2 id="o-que">{t('camera.varias.oQue')}</h2>
          <BulkChoice
            disabled={busy}
            onChange={(next) => {
              setAction(next)
              setOutcomes(new Map())
            }}
          />
          {readsPlates && <Soft>{t('camera.varias.quaisPlacas')}</Soft>}
          {failed > 0 && !busy && (
            <Alert color="red" variant="light" role="alert">
              {t('camera.varias.falharam', { count: failed })}
            </Alert>
          )}
          {done > 0 && !busy && <p role="status">{t('camera.varias.feitas', { count: done })}</p>}
          <Button disabled={due.length === 0} loading={busy} onClick={() => void apply()}>
            {t('camera.varias.aplicar', { count: due.length })}
          </Button>
          {changes.length > due.length && (
            <Soft>{t('camera.varias.iguais', { count: changes.length - due.length })}</Soft>
          )}
        </section>
      </div>
    </>
  )
}

interface CameraRowProps {
  readonly camera: Camera
  readonly checked: boolean
  readonly disabled: boolean
  readonly change: BulkChange | null
  readonly outcome: Outcome | null
  readonly onMark: (on: boolean) => void
  /** Whether the camera reads plates after the change; null: the change does not ask. */
  readonly plates: boolean | null
  readonly onPlates: (on: boolean) => void
}

function CameraRow({ camera, checked, disabled, change, outcome, onMark, plates, onPlates }: CameraRowProps) {
  const { t } = useTranslation()
  return (
    <div className={listClasses.row}>
      <Checkbox
        label={camera.nome}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onMark(event.currentTarget.checked)}
      />
      {checked && plates !== null && (
        <Checkbox
          size="xs"
          label={t('camera.varias.lerPlacas', { nome: camera.nome })}
          checked={plates}
          disabled={disabled}
          onChange={(event) => onPlates(event.currentTarget.checked)}
        />
      )}
      {outcome === 'indo' && <p role="status">{t('camera.varias.indo')}</p>}
      {outcome === 'feito' && <p className={listClasses.done}>{t('camera.varias.feito')}</p>}
      {outcome !== null && typeof outcome === 'object' && (
        <p className={listClasses.failed} role="alert">
          {outcome.failure}
        </p>
      )}
      {checked && change && outcome !== 'feito' && <ChangeList changes={change.changes} />}
    </div>
  )
}
