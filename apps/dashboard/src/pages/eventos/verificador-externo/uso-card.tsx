import { IconAdjustments, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { UsoVerificadorExterno } from '@vigia/contracts/verificador-externo'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../../base/tempo/format-time.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Card, CardAlarm, CardControls, CardFacts, CardName, CardSoft } from '../../../ui/card.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import { Facts, Measurements } from '../../../ui/facts.tsx'

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
    <Card data-status={ativo ? 'online' : undefined} aria-label={nome}>
      <CardName>
        <bdi>{nome}</bdi>
      </CardName>
      <CardFacts>{t(ativo ? 'verificadorExterno.ligado' : 'verificadorExterno.desligado')}</CardFacts>
      {!ativo && servidor_aceito !== null && (
        <CardAlarm>{t('verificadorExterno.mudou', { servidor: servidor_aceito })}</CardAlarm>
      )}
      {!ativo && !own && <CardSoft>{t('verificadorExterno.soPropria')}</CardSoft>}
      {uso.esgotado && <CardAlarm>{t('verificadorExterno.esgotado')}</CardAlarm>}
      <Measurements>
        <CardSoft>{t('verificadorExterno.mes', { mes: monthText(uso.mes) })}</CardSoft>
        <Facts>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </Facts>
        {ultimo_erro && (
          <CardSoft>
            {t('verificadorExterno.ultimoErro', {
              quando: formatDay(ultimo_erro.em, Date.now(), null),
              frase: ultimo_erro.frase,
            })}
          </CardSoft>
        )}
      </Measurements>
      <CardControls>
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
      </CardControls>
    </Card>
  )
}

/** `11/2026` of `2026-11`. */
const monthText = (mes: string): string => mes.split('-').toReversed().join('/')
