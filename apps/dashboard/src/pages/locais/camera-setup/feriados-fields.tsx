import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Horarios } from '@vigia/contracts/horarios'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { FieldRow } from '../../../ui/fields.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { feriadosQuery } from './camera-queries.ts'
import { EditFeriados } from './edit-feriados.tsx'

const DOMINGO = 6

interface FeriadosFieldsProps {
  readonly empresaId: number
  readonly feriados: NonNullable<Horarios['feriados']> | null
  readonly onChange: (feriados: NonNullable<Horarios['feriados']> | null) => void
}

/** The list of holidays that the camera follows, and the weekday that its dates count as. */
export function FeriadosFields({ empresaId, feriados, onChange }: FeriadosFieldsProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const [editing, setEditing] = useState(false)
  const { data } = useQuery(feriadosQuery(api, empresaId))
  const days: readonly string[] = t('camera.horarios.diasInteiros', { returnObjects: true })
  const names = data?.listas.map(({ nome }) => nome) ?? []
  return (
    <section className={classes.card} aria-labelledby="feriados">
      <h2 id="feriados">{t('camera.feriados.titulo')}</h2>
      <Soft>{t('camera.feriados.ajuda')}</Soft>
      <FieldRow>
        <NativeSelect
          label={t('camera.feriados.lista')}
          value={feriados?.lista ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange(value === '' ? null : { lista: value, dia: feriados?.dia ?? DOMINGO })
          }
          data={[
            { value: '', label: t('camera.feriados.nenhuma') },
            ...names.map((nome) => ({ value: nome, label: nome })),
          ]}
        />
        {feriados !== null && (
          <NativeSelect
            label={t('camera.feriados.dia')}
            value={String(feriados.dia)}
            onChange={(event) => onChange({ ...feriados, dia: Number(event.currentTarget.value) })}
            data={days.map((label, dia) => ({ value: String(dia), label }))}
          />
        )}
        <Button variant="default" disabled={!data} onClick={() => setEditing(true)}>
          {t('camera.feriados.editar')}
        </Button>
      </FieldRow>
      {editing && data && <EditFeriados empresaId={empresaId} listas={data.listas} onClose={() => setEditing(false)} />}
    </section>
  )
}
