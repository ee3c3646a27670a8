import { IconAdjustments, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { UsoVerificadorExterno } from '@vigia/contracts/verificador-externo'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../../base/tempo/format-time.ts'
import { formatNumber } from '../../../texts/locale.ts'
import card from '../../../ui/camera-card.module.css'
import { CardButton } from '../../../ui/card-buttons.tsx'
import edgeCard from '../../locais/edges/edge-card.module.css'

interface UsoCardProps {
  readonly uso: UsoVerificadorExterno
  readonly moeda: string
  /** The login belongs to this Empresa. */
  readonly own: boolean
  readonly operator: boolean
  readonly onOpen: (what: 'on' | 'off' | 'limit') => void
}

/** Switch and use of one Empresa in the current month. */
export function UsoCard({ uso, moeda, own, operator, onOpen }: UsoCardProps) {
  const { t } = useTranslation()
  const { nome, ativo, servidor_aceito, ultimo_erro } = uso
  const tokens = [uso.tokens_entrada, uso.tokens_saida].map((count) => formatNumber(count)).join(' + ')
  const facts: readonly [string, string][] = [
    [
      t('verificadorExterno.chamadas'),
      t('verificadorExterno.deLimite', { uso: formatNumber(uso.chamadas), limite: formatNumber(uso.chamadas_mes) }),
    ],
    [t('verificadorExterno.semResposta'), formatNumber(uso.sem_resposta)],
    [t('verificadorExterno.tokens'), tokens],
    [
      t('verificadorExterno.preco'),
      uso.preco === null
        ? t('verificadorExterno.semPreco')
        : formatNumber(uso.preco, { style: 'currency', currency: moeda, maximumFractionDigits: 4 }),
    ],
  ]
  return (
    <article className={card.card} data-status={ativo ? 'online' : undefined} aria-label={nome}>
      <h2 className={card.name}>
        <bdi>{nome}</bdi>
      </h2>
      <p className={card.facts}>{t(ativo ? 'verificadorExterno.ligado' : 'verificadorExterno.desligado')}</p>
      {!ativo && servidor_aceito !== null && (
        <p className={card.down}>{t('verificadorExterno.mudou', { servidor: servidor_aceito })}</p>
      )}
      {!ativo && !own && <p className={card.soft}>{t('verificadorExterno.soPropria')}</p>}
      {uso.esgotado && <p className={card.down}>{t('verificadorExterno.esgotado')}</p>}
      <div className={edgeCard.health}>
        <p className={card.soft}>{t('verificadorExterno.mes', { mes: monthText(uso.mes) })}</p>
        <dl className={edgeCard.facts}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {ultimo_erro && (
          <p className={card.soft}>
            {t('verificadorExterno.ultimoErro', {
              quando: formatDay(ultimo_erro.em, Date.now(), null),
              frase: ultimo_erro.frase,
            })}
          </p>
        )}
      </div>
      <div className={card.controls}>
        {!ativo && own && (
          <CardButton
            icon={IconPlayerPlay}
            label={t('verificadorExterno.ligarRotulo', { nome })}
            onClick={() => onOpen('on')}
          >
            {t('verificadorExterno.ligar')}
          </CardButton>
        )}
        {ativo && (
          <CardButton
            icon={IconPlayerStop}
            label={t('verificadorExterno.desligarRotulo', { nome })}
            onClick={() => onOpen('off')}
          >
            {t('verificadorExterno.desligar')}
          </CardButton>
        )}
        {operator && (
          <CardButton
            icon={IconAdjustments}
            label={t('verificadorExterno.limiteRotulo', { nome })}
            onClick={() => onOpen('limit')}
          >
            {t('verificadorExterno.limite')}
          </CardButton>
        )}
      </div>
    </article>
  )
}

/** `11/2026` of `2026-11`. */
const monthText = (mes: string): string => mes.split('-').toReversed().join('/')
