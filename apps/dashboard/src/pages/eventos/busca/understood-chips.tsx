import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { ParteEntendida } from '@vigia/contracts/busca'
import { nomesIas } from '@vigia/contracts/ias'
import { coresVeiculo, tiposVeiculo } from '@vigia/contracts/veiculos'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { pageLocale } from '../../../texts/locale.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import classes from './busca.module.css'
import { filterOf, togetherWith, without } from './understood.ts'

/** Where the person goes on after a chip: a field by its name, in the sentence the words to change. */
export interface Destination {
  readonly name: string
  readonly words?: readonly [number, number]
}

interface UnderstoodProps {
  readonly frase: string
  readonly partes: readonly ParteEntendida[]
  readonly onChange: (to: Destination) => void
}

/** The parts of the sentence that the search understood. Each can be changed or removed. */
export function UnderstoodChips({ frase, partes, onChange }: UnderstoodProps) {
  const { t } = useTranslation()
  const navigate = useNavigate({ from: '/busca' })
  const textOf = useTextOf(frase)
  if (partes.length === 0) return null
  const change = (parte: ParteEntendida) => {
    const { campo, inicio, fim } = parte
    if (filterOf(parte) === null) return onChange({ name: 'q', words: [inicio, fim] })
    const changed = togetherWith(parte, partes)
    const filters = Object.assign({}, ...changed.map(filterOf))
    void navigate({ search: (now) => ({ ...now, ...filters, q: without(frase, changed) }), replace: true })
    onChange({ name: FIELDS[campo] ?? campo })
  }
  const remove = (parte: ParteEntendida) => {
    void navigate({ search: (now) => ({ ...now, q: without(frase, [parte]) }), replace: true })
    onChange({ name: 'q' })
  }
  return (
    <div className={classes.understood}>
      <ul aria-label={t('busca.entendido.titulo')}>
        {partes.map((parte) => (
          <li key={parte.campo}>
            <Button size="xs" variant="default" title={t('busca.entendido.mudar')} onClick={() => change(parte)}>
              {t(`busca.entendido.${parte.campo}`, { valor: textOf(parte) })}
            </Button>
            <ActionIcon
              size="input-xs"
              variant="default"
              aria-label={t('busca.entendido.tirar', { valor: textOf(parte) })}
              onClick={() => remove(parte)}
            >
              <IconX size={16} aria-hidden="true" />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <PassagesLink partes={partes} />
    </div>
  )
}

/** Names of the fields of parts whose name differs. */
const FIELDS: Partial<Record<ParteEntendida['campo'], string>> = { periodo: 'de', hora: 'das', tipo: 'ia' }

/** Colours and parts of plates are known of passages only: leads to them with the same filters. */
function PassagesLink({ partes }: Pick<UnderstoodProps, 'partes'>) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { camera, de, ate } = useSearch({ from: '/painel/busca' })
  const partOf = (campo: ParteEntendida['campo']) => partes.find((one) => one.campo === campo)
  const [cor, placa, coisa] = [partOf('cor')?.valor, partOf('placa')?.valor, partOf('coisa')?.valor]
  if (cor === undefined && placa === undefined) return null
  const named = partOf('camera')?.valor
  const days = partOf('periodo')
  const why = t(cor === undefined ? 'busca.passagens.placa' : 'busca.passagens.cor')
  if (!me.ve_placas) return <p className={classes.soft}>{`${why} ${t('busca.passagens.semAcesso')}`}</p>
  return (
    <p className={classes.passages}>
      <span>{why}</span>
      <ButtonLink
        size="xs"
        variant="light"
        to="/passagens"
        search={{
          placa,
          cor: coresVeiculo.find((one) => one === cor),
          veiculo: tiposVeiculo.find((one) => one === coisa),
          camera: camera ?? (named === undefined ? undefined : Number(named)),
          de: de ?? days?.valor,
          ate: ate ?? days?.ate ?? undefined,
        }}
      >
        {t('busca.passagens.ver')}
      </ButtonLink>
    </p>
  )
}

/** Text of a part for a person. */
function useTextOf(frase: string) {
  const { t } = useTranslation()
  return ({ campo, valor, ate, inicio, fim }: ParteEntendida): string => {
    if (campo === 'periodo') return [...new Set([valor, ate ?? valor])].map(dayText).join(' – ')
    if (campo === 'hora') return `${valor} – ${ate}`
    if (campo === 'placa') return valor
    if (campo === 'gravidade') return t(`alertas.gravidade.${valor as 'alta'}`)
    if (campo === 'certeza') return t(`busca.certezas.${valor as 'alta'}`)
    if (campo === 'nota') return t(valor === 'true' ? 'busca.notas.com' : 'busca.notas.sem')
    const ia = campo === 'tipo' ? nomesIas.find((one) => one === valor) : undefined
    return ia ? textsOfIa(ia).titulo : frase.slice(inicio, fim)
  }
}

const dayText = (day: string): string =>
  new Intl.DateTimeFormat(pageLocale(), { dateStyle: 'short', timeZone: 'UTC' }).format(new Date(day))
