import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Certeza, certezas } from '@vigia/contracts/eventos'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import { situacoesIncidente } from '@vigia/contracts/incidentes'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CameraFilter } from '../../../domains/locais/cameras/camera-filter.tsx'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { TypedText } from '../../../ui/typed-text.tsx'
import classes from './busca.module.css'
import type { Destination } from './understood-chips.tsx'

/**
 * Sentence and filters of the search; the URL holds them.
 * @param destination field to go on at; a new object moves the focus again
 */
export function BuscaFilters({ destination }: { destination: Destination | null }) {
  const { t } = useTranslation()
  const now = useSearch({ from: '/painel/busca' })
  const { q, camera, ia, gravidade, veredito, por, de, ate, das, antes, certeza, nota, prova } = now
  const form = useRef<HTMLElement>(null)
  useEffect(() => goTo(form.current, destination), [destination])
  const navigate = useNavigate({ from: '/busca' })
  const choose = (change: Partial<typeof now>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })

  const filters = [camera, ia, gravidade, veredito, por, de, ate, das, antes, certeza, nota, prova]
  const narrowed = filters.filter((value) => value !== undefined).length
  return (
    <search ref={form} className={classes.search} aria-label={t('busca.filtros')}>
      <TypedText
        name="q"
        label={t('busca.texto')}
        placeholder={t('busca.textoAjuda')}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={q ?? ''}
        onTyped={(text) => choose({ q: text })}
      />
      <details className={classes.more} open={narrowed > 0 || undefined}>
        <summary>{t('busca.maisFiltros')}</summary>
        <div className={classes.filters}>
          <CameraFilter
            label={t('busca.camera')}
            all={t('busca.todasCameras')}
            camera={camera}
            removed={t('busca.cameraRemovida', { id: camera ?? 0 })}
            onChoose={(chosen) => choose({ camera: chosen })}
          />
          <NativeSelect
            name="ia"
            label={t('busca.ia')}
            value={ia ?? ''}
            onChange={(event) => choose({ ia: nomesIas.find((one) => one === event.currentTarget.value) })}
            data={[
              { value: '', label: t('busca.todasIas') },
              ...nomesIas.map((value) => ({ value, label: textsOfIa(value).titulo })),
            ]}
          />
          <NativeSelect
            name="gravidade"
            label={t('busca.gravidade')}
            value={gravidade ?? ''}
            onChange={(event) => choose({ gravidade: gravidades.find((one) => one === event.currentTarget.value) })}
            data={[
              { value: '', label: t('busca.todasGravidades') },
              ...gravidades.map((value) => ({ value, label: t(`alertas.gravidade.${value}`) })),
            ]}
          />
          <NativeSelect
            label={t('busca.veredito')}
            value={veredito ?? ''}
            onChange={(event) =>
              choose({ veredito: situacoesIncidente.find((one) => one === event.currentTarget.value) })
            }
            data={[
              { value: '', label: t('busca.todosVereditos') },
              ...situacoesIncidente.map((value) => ({ value, label: t(`busca.vereditos.${value}`) })),
            ]}
          />
          <TypedText label={t('busca.por')} value={por ?? ''} onTyped={(text) => choose({ por: text })} />
          <TextInput
            type="date"
            name="de"
            label={t('busca.de')}
            value={de ?? ''}
            onChange={(event) => choose({ de: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            label={t('busca.ate')}
            value={ate ?? ''}
            onChange={(event) => choose({ ate: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="time"
            name="das"
            label={t('busca.das')}
            value={das ?? ''}
            onChange={(event) => choose({ das: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="time"
            label={t('busca.antes')}
            value={antes ?? ''}
            onChange={(event) => choose({ antes: event.currentTarget.value || undefined })}
          />
          <RecordFilters certeza={certeza} nota={nota} prova={prova} onChoose={choose} />
        </div>
      </details>
      {(narrowed > 0 || q !== undefined) && (
        <Button
          className={classes.clear}
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden="true" />}
          onClick={() => choose(NOTHING)}
        >
          {t('busca.limpar')}
        </Button>
      )}
    </search>
  )
}

/** No filter. */
const NOTHING = {
  q: undefined,
  camera: undefined,
  ia: undefined,
  gravidade: undefined,
  veredito: undefined,
  por: undefined,
  de: undefined,
  ate: undefined,
  das: undefined,
  antes: undefined,
  certeza: undefined,
  nota: undefined,
  prova: undefined,
}

/** Moves the focus to a field, and opens the filters for it; in the sentence it selects the words. */
function goTo(form: HTMLElement | null, to: Destination | null): void {
  if (!form || !to) return
  const more = form.querySelector('details')
  if (more && to.name !== 'q') more.open = true
  const field = form.querySelector<HTMLInputElement>(`[name="${to.name}"]`) ?? form.querySelector('summary')
  field?.focus()
  if (to.words && field instanceof HTMLInputElement) field.setSelectionRange(...to.words)
}

interface RecordFiltersProps {
  readonly certeza: Certeza | undefined
  readonly nota: Nota | undefined
  readonly prova: Prova | undefined
  readonly onChoose: (change: {
    readonly certeza?: Certeza | undefined
    readonly nota?: Nota | undefined
    readonly prova?: Prova | undefined
  }) => void
}
type Nota = (typeof notas)[number]
const notas = ['com', 'sem'] as const
type Prova = (typeof provas)[number]
const provas = ['so', 'sem'] as const

/** Certainty of the verdict, whether the answer has a note, and whether it was a walk test. */
function RecordFilters({ certeza, nota, prova, onChoose }: RecordFiltersProps) {
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect
        name="certeza"
        label={t('busca.certeza')}
        value={certeza ?? ''}
        onChange={(event) => onChoose({ certeza: certezas.find((one) => one === event.currentTarget.value) })}
        data={[
          { value: '', label: t('busca.todasCertezas') },
          ...certezas.map((value) => ({ value, label: t(`busca.certezas.${value}`) })),
        ]}
      />
      <NativeSelect
        name="nota"
        label={t('busca.nota')}
        value={nota ?? ''}
        onChange={(event) => onChoose({ nota: notas.find((one) => one === event.currentTarget.value) })}
        data={[
          { value: '', label: t('busca.todasNotas') },
          ...notas.map((value) => ({ value, label: t(`busca.notas.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('busca.prova')}
        value={prova ?? ''}
        onChange={(event) => onChoose({ prova: provas.find((one) => one === event.currentTarget.value) })}
        data={[
          { value: '', label: t('busca.todasProvas') },
          ...provas.map((value) => ({ value, label: t(`busca.provas.${value}`) })),
        ]}
      />
    </>
  )
}
