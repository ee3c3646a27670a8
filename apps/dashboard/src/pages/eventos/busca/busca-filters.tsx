import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import { situacoesIncidente } from '@vigia/contracts/incidentes'
import { useTranslation } from 'react-i18next'
import { CameraFilter } from '../../../domains/locais/cameras/camera-filter.tsx'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { TypedText } from '../../../ui/typed-text.tsx'
import classes from './busca.module.css'

/** Words and filters of the search; the URL holds them. */
export function BuscaFilters() {
  const { t } = useTranslation()
  const now = useSearch({ from: '/painel/busca' })
  const { q, camera, ia, gravidade, veredito, por, de, ate } = now
  const navigate = useNavigate({ from: '/busca' })
  const choose = (change: Partial<typeof now>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })

  const narrowed = [camera, ia, gravidade, veredito, por, de, ate].filter((value) => value !== undefined).length
  const none = { q: undefined, camera: undefined, ia: undefined, gravidade: undefined, veredito: undefined }
  return (
    <search className={classes.search} aria-label={t('busca.filtros')}>
      <TypedText
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
            label={t('busca.ia')}
            value={ia ?? ''}
            onChange={(event) => choose({ ia: nomesIas.find((one) => one === event.currentTarget.value) })}
            data={[
              { value: '', label: t('busca.todasIas') },
              ...nomesIas.map((value) => ({ value, label: textsOfIa(value).titulo })),
            ]}
          />
          <NativeSelect
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
        </div>
      </details>
      {(narrowed > 0 || q !== undefined) && (
        <Button
          className={classes.clear}
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden="true" />}
          onClick={() => choose({ ...none, por: undefined, de: undefined, ate: undefined })}
        >
          {t('busca.limpar')}
        </Button>
      )}
    </search>
  )
}
