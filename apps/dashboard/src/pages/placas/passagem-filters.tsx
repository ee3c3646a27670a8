import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { situacoesPlaca } from '@vigia/contracts/passagens'
import { normalizePlaca } from '@vigia/contracts/placas'
import { coresVeiculo, tiposVeiculo } from '@vigia/contracts/veiculos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FiltroPassagens } from '../../api/placas-queries.ts'
import { CameraFilter } from '../../domains/locais/cameras/camera-filter.tsx'
import classes from './placas.module.css'

interface PassagemFiltersProps {
  readonly filtro: FiltroPassagens
  readonly onChange: (filtro: FiltroPassagens) => void
}

/** Filters of the list of passages. A plate is searched on request only, because each search is an audit record. */
export function PassagemFilters({ filtro, onChange }: PassagemFiltersProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [similar, setSimilar] = useState(false)
  const wanted = normalizePlaca(typed)
  const isPattern = /^[A-Z0-9*]{0,8}$/.test(wanted)
  const choose = (change: Partial<FiltroPassagens>) => onChange({ ...filtro, ...change })
  return (
    <form
      className={classes.filters}
      onSubmit={(event) => {
        event.preventDefault()
        if (isPattern) choose({ placa: wanted || null, semelhantes: similar })
      }}
    >
      <TextInput
        label={t('placas.filtro.placa')}
        description={t('placas.filtro.ajuda')}
        placeholder={t('placas.filtro.exemplo')}
        value={typed}
        error={isPattern ? undefined : t('placas.filtro.erro')}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Checkbox
        label={t('placas.filtro.semelhantes')}
        checked={similar}
        onChange={(event) => setSimilar(event.currentTarget.checked)}
      />
      <Button type="submit" variant="default">
        {t('placas.filtro.buscar')}
      </Button>
      <NativeSelect
        label={t('placas.filtro.situacao')}
        value={filtro.situacao ?? ''}
        onChange={(event) =>
          choose({ situacao: situacoesPlaca.find((one) => one === event.currentTarget.value) ?? null })
        }
        data={[
          { value: '', label: t('placas.filtro.todas') },
          ...situacoesPlaca.map((value) => ({ value, label: t(`placas.situacao.${value}`) })),
        ]}
      />
      <CameraFilter
        label={t('placas.filtro.camera')}
        all={t('placas.filtro.todas')}
        camera={filtro.camera ?? undefined}
        removed={t('placas.filtro.cameraRemovida', { id: filtro.camera ?? 0 })}
        onChoose={(camera) => choose({ camera: camera ?? null })}
      />
      <NativeSelect
        label={t('placas.filtro.veiculo')}
        value={filtro.veiculo ?? ''}
        onChange={(event) => choose({ veiculo: tiposVeiculo.find((one) => one === event.currentTarget.value) ?? null })}
        data={[
          { value: '', label: t('placas.filtro.todos') },
          ...tiposVeiculo.map((value) => ({ value, label: t(`placas.veiculo.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('placas.filtro.cor')}
        value={filtro.cor ?? ''}
        onChange={(event) => choose({ cor: coresVeiculo.find((one) => one === event.currentTarget.value) ?? null })}
        data={[
          { value: '', label: t('placas.filtro.todas') },
          ...coresVeiculo.map((value) => ({ value, label: t(`placas.cor.${value}`) })),
        ]}
      />
      <TextInput
        type="date"
        label={t('placas.filtro.de')}
        value={filtro.de ?? ''}
        onChange={(event) => choose({ de: event.currentTarget.value || null })}
      />
      <TextInput
        type="date"
        label={t('placas.filtro.ate')}
        value={filtro.ate ?? ''}
        onChange={(event) => choose({ ate: event.currentTarget.value || null })}
      />
    </form>
  )
}
