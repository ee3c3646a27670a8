import { Button, Skeleton, TextInput } from '@mantine/core'
import { IconBook2, IconPrinter } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { MAX_DIAS_LIVRO, MAX_LIVRO } from '@vigia/contracts/livro'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { livroQuery } from '../../../api/livro-query.ts'
import { empresasQuery } from '../../../api/queries.ts'
import { lastDays, shiftDay } from '../../../base/tempo/calendar-day.ts'
import { period } from '../../../base/tempo/period.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { CameraFilter } from '../../../domains/locais/cameras/camera-filter.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Filters, PageHead, Soft } from '../../../ui/page.tsx'
import { usePrinting } from '../../../ui/use-printing.ts'
import { WindowedList } from '../../../ui/windowed-list.tsx'
import { type Entrada, entriesOf } from './entries.ts'
import { HandOverForm } from './hand-over-form.tsx'
import classes from './livro.module.css'
import { LivroRow } from './livro-row.tsx'

/** Days of the book without a choice: the shift of today and that of the night before. */
const DAYS = 2
const ROW_PX = 64
const keyOf = ({ key }: Entrada): string => key

/** Book of occurrences: answers, notes and hand-overs of a period, one list that prints whole. */
export function LivroPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa, camera, ...search } = useSearch({ from: '/painel/livro' })
  const { nome, fuso } = useEmpresa(empresa ?? me.empresa_id)
  const recent = lastDays(DAYS, useNow(), fuso)
  const days = { de: search.de ?? recent.de, ate: search.ate ?? recent.ate }
  const { desde, ate } = period(days.de, days.ate, fuso)
  const { data: empresas = [] } = useQuery(empresasQuery(api))
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...livroQuery(api, { empresa, camera, desde: desde ?? '', ate: ate ?? '' }),
    placeholderData: keepPreviousData,
  })
  const entries = useMemo(() => (data ? entriesOf(data) : []), [data])
  const isPrinting = usePrinting()
  usePageTitle(t('livro.titulo'))
  const row = (entrada: Entrada) => <LivroRow entrada={entrada} namesEmpresa={empresas.length > 1} />
  return (
    <>
      <PageHead>
        <h1>{t('livro.titulo')}</h1>
        <Button
          className={classes.print}
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          {t('livro.imprimir')}
        </Button>
      </PageHead>
      <HandOverForm />
      <Choice days={days} />
      {nome !== null && <p className={classes.only}>{nome}</p>}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data ? (
        !error && <Skeleton height={320} radius="md" />
      ) : (
        <div aria-busy={isPlaceholderData}>
          <Soft>
            {t('livro.periodo', { de: shown(days.de), ate: shown(days.ate), count: entries.length })}
            {!data.completo && ` ${t('livro.incompleto', { total: MAX_LIVRO })}`}
          </Soft>
          {entries.length === 0 ? (
            <Notice icon={<IconBook2 size={32} />} title={t('livro.vazio')} text={t('livro.vazioTexto')} />
          ) : isPrinting ? (
            <ul aria-label={t('livro.titulo')}>
              {entries.map((entrada) => (
                <li key={entrada.key}>{row(entrada)}</li>
              ))}
            </ul>
          ) : (
            <WindowedList label={t('livro.titulo')} rows={entries} keyOf={keyOf} rowPx={ROW_PX}>
              {row}
            </WindowedList>
          )}
        </div>
      )}
    </>
  )
}

/** `2026-01-31` as `31/01/2026`. */
const shown = (day: string): string => day.split('-').toReversed().join('/')

interface Days {
  readonly de: string
  readonly ate: string
}

/** A period of at most a month around the day that was chosen. */
function fit({ de, ate }: Days, chosen: keyof Days): Days {
  const last = shiftDay(de, MAX_DIAS_LIVRO - 1)
  if (de <= ate && ate <= last) return { de, ate }
  if (chosen === 'de') return { de, ate: de > ate ? de : last }
  return { de: de > ate ? ate : shiftDay(ate, 1 - MAX_DIAS_LIVRO), ate }
}

function Choice({ days }: { days: Days }) {
  const { t } = useTranslation()
  const { camera } = useSearch({ from: '/painel/livro' })
  const navigate = useNavigate({ from: '/livro' })
  const choose = (change: Partial<Days & { camera: number | undefined }>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const field = (name: keyof Days) => (
    <TextInput
      type="date"
      label={t(`livro.${name}`)}
      value={days[name]}
      onChange={(event) => choose(fit({ ...days, [name]: event.currentTarget.value || days[name] }, name))}
    />
  )
  return (
    <search className={classes.choice} aria-label={t('livro.filtros')}>
      <Filters>
        {field('de')}
        {field('ate')}
        <CameraFilter
          label={t('livro.camera')}
          all={t('livro.todasCameras')}
          camera={camera}
          removed={t('livro.cameraRemovida', { id: camera ?? 0 })}
          onChoose={(chosen) => choose({ camera: chosen })}
        />
      </Filters>
    </search>
  )
}
