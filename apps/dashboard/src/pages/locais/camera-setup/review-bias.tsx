import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Ajuste } from '@vigia/contracts/ajustes'
import type { NomeIa } from '@vigia/contracts/ias'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formatNumber } from '../../../texts/locale.ts'
import classes from './camera.module.css'
import { ajustesQuery } from './camera-queries.ts'

/** By how much reviews make a sure verdict of an IA easier or harder, with the reason; an administrador resets it. */
export function ReviewBias({ camera, nome }: { camera: number; nome: NomeIa }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { data } = useQuery(ajustesQuery(api, camera))
  const own = data?.find(({ ia }) => ia === nome)
  if (!own || own.revisoes === 0) return null
  const ia = textsOfIa(nome).titulo
  return (
    <div className={classes.suggestion}>
      <p className={classes.bias}>
        {t(`camera.limiares.ajuste.${directionOf(own)}`, {
          verdadeiros: formatNumber(own.verdadeiros),
          revisoes: formatNumber(own.revisoes),
          esperados: formatNumber(Math.round(own.esperados)),
          minimo: formatNumber(own.minimo_revisoes),
          ajuste: formatNumber(own.ajuste, { signDisplay: 'exceptZero', maximumFractionDigits: 2 }),
        })}
      </p>
      <Button
        variant="default"
        aria-label={t('camera.limiares.ajuste.zerarRotulo', { nome: ia })}
        onClick={() => setAsking(true)}
      >
        {t('camera.limiares.ajuste.zerar')}
      </Button>
      {asking && (
        <ConfirmRemoval
          title={t('camera.limiares.ajuste.titulo', { nome: ia })}
          submit={t('camera.limiares.ajuste.zerar')}
          path={`/cameras/${camera}/ajuste/${nome}`}
          announcement={t('camera.limiares.ajuste.zerado', { nome: ia })}
          onRemoved={() => void queries.invalidateQueries(ajustesQuery(api, camera))}
          onClose={() => setAsking(false)}
        >
          <p>{t('camera.limiares.ajuste.pergunta')}</p>
        </ConfirmRemoval>
      )}
    </div>
  )
}

function directionOf({ ajuste, revisoes, minimo_revisoes }: Ajuste): 'poucas' | 'nenhum' | 'facil' | 'dificil' {
  if (revisoes < minimo_revisoes) return 'poucas'
  if (ajuste === 0) return 'nenhum'
  return ajuste > 0 ? 'facil' : 'dificil'
}
