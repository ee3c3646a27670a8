import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { situacoesPlaca } from '@vigia/contracts/passagens'
import { normalizePlaca } from '@vigia/contracts/placas'
import { coresVeiculo, tiposVeiculo } from '@vigia/contracts/veiculos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CameraFilter } from '../../domains/locais/cameras/camera-filter.tsx'
import classes from './placas.module.css'

/**
 * Filters of the list of passages; the URL holds them. A plate is searched on request only, because each search is an
 * audit record.
 */
export function PassagemFilters() {
  const { t } = useTranslation()
  const filtro = useSearch({ from: '/painel/passagens' })
  const navigate = useNavigate({ from: '/passagens' })
  const [typed, setTyped] = useState(filtro.placa ?? '')
  const [similar, setSimilar] = useState(filtro.semelhantes === true)
  const wanted = normalizePlaca(typed)
  const isPattern = /^[A-Z0-9*]{0,8}$/.test(wanted)
  const { situacao, camera, veiculo, cor, de, ate } = filtro
  const isNarrowed = [situacao, camera, veiculo, cor, de, ate].some((value) => value !== undefined)
  const choose = (change: Partial<typeof filtro>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true })
  return (
    <form
      className={classes.filters}
      onSubmit={(event) => {
        event.preventDefault()
        if (isPattern) choose({ placa: wanted || undefined, semelhantes: similar || undefined })
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
      <details className={classes.more} open={isNarrowed || undefined}>
        <summary>{t('placas.filtro.mais')}</summary>
        <div className={classes.filters}>
          <NativeSelect
            label={t('placas.filtro.situacao')}
            value={situacao ?? ''}
            onChange={(event) => choose({ situacao: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: t('placas.filtro.todas') },
              ...situacoesPlaca.map((value) => ({ value, label: t(`placas.situacao.${value}`) })),
            ]}
          />
          <CameraFilter
            label={t('placas.filtro.camera')}
            all={t('placas.filtro.todas')}
            camera={camera}
            removed={t('placas.filtro.cameraRemovida', { id: camera ?? 0 })}
            onChoose={(camera) => choose({ camera })}
          />
          <NativeSelect
            label={t('placas.filtro.veiculo')}
            value={veiculo ?? ''}
            onChange={(event) => choose({ veiculo: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: t('placas.filtro.todos') },
              ...tiposVeiculo.map((value) => ({ value, label: t(`placas.veiculo.${value}`) })),
            ]}
          />
          <NativeSelect
            label={t('placas.filtro.cor')}
            value={cor ?? ''}
            onChange={(event) => choose({ cor: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: t('placas.filtro.todas') },
              ...coresVeiculo.map((value) => ({ value, label: t(`placas.cor.${value}`) })),
            ]}
          />
          <TextInput
            type="date"
            label={t('placas.filtro.de')}
            value={de ?? ''}
            onChange={(event) => choose({ de: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            label={t('placas.filtro.ate')}
            value={ate ?? ''}
            onChange={(event) => choose({ ate: event.currentTarget.value || undefined })}
          />
        </div>
      </details>
    </form>
  )
}
