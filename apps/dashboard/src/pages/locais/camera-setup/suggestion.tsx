import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { NomeIa } from '@vigia/contracts/ias'
import type { SugestaoCalibracao } from '@vigia/contracts/sugestoes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { suggestionQuery } from './camera-queries.ts'

/** Precisions that the page offers. */
const PRECISIONS = [0.8, 0.9, 0.95]
const percent = (value: number): string => formatNumber(value, { style: 'percent' })

interface Props {
  readonly camera: number
  readonly nome: NomeIa
  /** Puts the suggested `conf` into the form, which a person then saves. */
  readonly onUse: (conf: number) => void
}

/** Asks for a `conf` that reviews suggest, says its effect, and offers to put it into the form. */
export function Suggestion({ camera, nome, onUse }: Props) {
  const { t } = useTranslation()
  const { api } = useServices()
  const [precisao, setPrecisao] = useState(0.9)
  const [asked, setAsked] = useState(false)
  const { data, error, refetch, isFetching } = useQuery({
    ...suggestionQuery(api, camera, { ia: nome, precisao }),
    enabled: asked,
  })
  const label = t('camera.limiares.sugestao.pedirRotulo', { nome: textsOfIa(nome).titulo })
  return (
    <div className={classes.suggestion}>
      <NativeSelect
        label={t('camera.limiares.sugestao.precisao')}
        value={String(precisao)}
        data={PRECISIONS.map((one) => ({ value: String(one), label: percent(one) }))}
        onChange={(event) => setPrecisao(Number(event.currentTarget.value))}
      />
      <Button
        variant="default"
        aria-label={label}
        loading={isFetching}
        onClick={() => (asked ? void refetch() : setAsked(true))}
      >
        {t('camera.limiares.sugestao.pedir')}
      </Button>
      <div role="status" className={classes.suggested}>
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {data && <Answer data={data} onUse={onUse} />}
      </div>
    </div>
  )
}

function Answer({ data, onUse }: { data: SugestaoCalibracao; onUse: Props['onUse'] }) {
  const { t } = useTranslation()
  const { sugestao, motivo, verdadeiros, falsos, conf_atual } = data
  const counts = { verdadeiros: formatNumber(verdadeiros), falsos: formatNumber(falsos) }
  if (sugestao === null)
    return (
      <p>
        {t(`camera.limiares.sugestao.${motivo ?? 'sem_valor'}`, {
          ...counts,
          conf: formatNumber(conf_atual),
          total: formatNumber(verdadeiros + falsos),
          precisao: percent(data.precisao),
        })}
      </p>
    )
  const conf = formatNumber(sugestao.conf)
  return (
    <>
      <p>
        {t(`camera.limiares.sugestao.${sugestao.verdadeiros_perdidos === 0 ? 'semPerda' : 'resultado'}`, {
          ...counts,
          conf,
          evitados: formatNumber(sugestao.falsos_evitados),
          perdidos: formatNumber(sugestao.verdadeiros_perdidos),
        })}
      </p>
      <Button variant="light" onClick={() => onUse(sugestao.conf)}>
        {t('camera.limiares.sugestao.usar', { conf })}
      </Button>
      <Soft>{t('camera.limiares.sugestao.nadaMuda')}</Soft>
    </>
  )
}
