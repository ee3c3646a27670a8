import { IconAdjustments, IconPencil, IconTrash } from '@tabler/icons-react'
import {
  type LimitesEmpresa,
  type TipoLimite,
  tiposLimite,
  type UsoBytes,
  type UsoLimite,
} from '@vigia/contracts/limites'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../domains/locais/edges/edge-health.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Card, CardControls, CardFacts, CardName, CardSoft } from '../../../ui/card.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import { Facts, Measurements } from '../../../ui/facts.tsx'
import { Meter } from '../../../ui/meter.tsx'
import classes from './empresa-card.module.css'
import { nameOfFuso } from './empresa-form.ts'
import { LocalEdgeRule } from './local-edge-rule.tsx'
import { PlateRule } from './plate-rule.tsx'
import { SecondFactorRule } from './second-factor-rule.tsx'

export interface EmpresaCardProps {
  readonly empresa: LimitesEmpresa
  /** Names of those above it in the scope of the login, from the top. */
  readonly acima: readonly string[]
  readonly fuso: string | null
  readonly host: string | null
  readonly onChange: () => void
  /** null: the login may set no limit. */
  readonly onEdit: (() => void) | null
  /** null: the login may not remove it, or it has Empresas below. */
  readonly onRemove: (() => void) | null
}

/** Card of one Empresa: the use of each limit by it and the Empresas below it. */
export function EmpresaCard({ empresa, acima, fuso, host, onChange, onEdit, onRemove }: EmpresaCardProps) {
  const { nome, limites: usos } = empresa
  const { t } = useTranslation()
  const { cameras } = usos
  const use = ({ uso, limite, livres }: UsoLimite) =>
    t(isTight({ uso, limite, livres }) ? 'empresas.usoAcima' : 'empresas.uso', {
      uso: formatNumber(uso),
      limite: formatNumber(limite),
      livres: formatNumber(livres),
    })
  return (
    <Card aria-label={nome}>
      <CardName>
        <bdi>{nome}</bdi>
      </CardName>
      {acima.length > 0 && <CardSoft>{t('empresas.abaixoDe', { nome: acima.join(' › ') })}</CardSoft>}
      {fuso !== null && (
        <CardFacts>
          {t('empresas.fuso', { fuso: nameOfFuso(fuso) })}
          {host !== null && ` · ${host}`}
        </CardFacts>
      )}
      <Measurements className={classes.use}>
        <Meter label={nameOf('cameras', t)} share={shareOf(cameras)} text={use(cameras)} />
        <Facts>
          {tiposLimite
            .filter((tipo) => tipo !== 'cameras')
            .map((tipo) => (
              <div key={tipo}>
                <dt>{nameOf(tipo, t)}</dt>
                <dd data-alarm={usos[tipo].livres === 0 || undefined}>{use(usos[tipo])}</dd>
              </div>
            ))}
          <div>
            <dt>{t('empresas.bytes.nome')}</dt>
            <dd data-alarm={empresa.bytes.livres === 0 || empresa.bytes.espera !== null || undefined}>
              {spaceText(empresa.bytes, t)}
            </dd>
          </div>
        </Facts>
        {empresa.bytes.espera && (
          <p className={classes.waiting} role="status">
            {empresa.bytes.espera.texto}
          </p>
        )}
        <SecondFactorRule empresa={empresa} />
        <PlateRule empresa={empresa} />
        <LocalEdgeRule empresa={empresa} />
      </Measurements>
      <CardControls>
        <CardButton icon={IconPencil} label={t('empresas.dados.rotulo', { nome })} onClick={onChange}>
          {t('empresas.dados.botao')}
        </CardButton>
        {onEdit && (
          <CardButton icon={IconAdjustments} label={t('empresas.limitesRotulo', { nome })} onClick={onEdit}>
            {t('empresas.limites')}
          </CardButton>
        )}
        {onRemove && (
          <CardButton icon={IconTrash} label={t('empresas.remocao.rotulo', { nome })} onClick={onRemove}>
            {t('empresas.remocao.botao')}
          </CardButton>
        )}
      </CardControls>
    </Card>
  )
}

/** Whether the Empresas above leave at most a tenth of the limit, and less than the limit itself allows. */
const isTight = ({ uso, limite, livres }: UsoLimite): boolean => livres < limite - uso && livres * 10 <= limite

const shareOf = ({ uso, limite }: UsoLimite): number => (limite === 0 ? 1 : Math.min(1, uso / limite))

function spaceText({ uso, limite }: UsoBytes, t: TFunction<'pagina'>): string {
  if (limite === null) return t('empresas.bytes.semLimite', { uso: formatBytes(uso) })
  return t('empresas.bytes.uso', { uso: formatBytes(uso), limite: formatBytes(limite) })
}

function nameOf(tipo: TipoLimite, t: TFunction<'pagina'>): string {
  const nome = t(`empresas.tipos.${tipo}`)
  return nome.charAt(0).toUpperCase() + nome.slice(1)
}
