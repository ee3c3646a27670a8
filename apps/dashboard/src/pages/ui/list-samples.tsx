import { Button, TextInput } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { BoxedPicture, NoPicture, PictureArea } from '../../ui/boxed-picture.tsx'
import { Chip, ChipCount, Chips } from '../../ui/chips.tsx'
import { FoldHead } from '../../ui/fold.tsx'
import { HourFrame } from '../../ui/hour-bar.tsx'
import { Heading, Row } from '../../ui/layout.tsx'
import { Legend, LegendSample } from '../../ui/legend.tsx'
import { ListBody } from '../../ui/list-body.tsx'
import { ListEndNote, More } from '../../ui/more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Filters, PageActions, PageHead, Soft } from '../../ui/page.tsx'
import { Plate } from '../../ui/plate.tsx'
import {
  RecordKind,
  RecordList,
  RecordName,
  RecordOpen,
  RecordReason,
  RecordRow,
  RecordWhen,
} from '../../ui/record.tsx'
import { GREY_PICTURE, OUTLINE, PATH, rectangles, samples } from './samples.ts'

/** A list with its filters in each of its states: entries, more entries, none, loading, failed. */
export function Lists() {
  const { t } = useTranslation()
  const refetch = () => {}
  const none = <Notice icon={<IconShieldCheck size={32} />} title={samples.camera} text={samples.reason} />
  const states = [
    { state: 'entries', data: samples.cameras, error: null },
    { state: 'none', data: [], error: null },
    { state: 'loading', data: undefined, error: null },
    { state: 'failed', data: undefined, error: new Error('failed') },
  ] as const
  return (
    <section>
      <PageHead>
        <h1>{samples.empresa}</h1>
        <Soft>{samples.reason}</Soft>
        <Chips>
          <Chip to="/login">
            {samples.camera} <ChipCount>{samples.cameras.length}</ChipCount>
          </Chip>
        </Chips>
        <PageActions>
          <Button>{t('comum.salvar')}</Button>
        </PageActions>
      </PageHead>
      <Filters>
        <TextInput label={samples.camera} />
        <TextInput label={samples.empresa} error={samples.reason} />
      </Filters>
      {states.map(({ state, ...query }) => (
        <div key={state} data-sample={state}>
          <ListBody<string> query={{ ...query, refetch }} none={none}>
            {(data) => (
              <RecordList>
                {data.map((name, index) => (
                  <RecordRow key={name} data-open={index === 0 || undefined}>
                    <RecordName>
                      {name}
                      <RecordKind>{samples.empresa}</RecordKind>
                    </RecordName>
                    {index === 0 && <RecordOpen>{samples.time}</RecordOpen>}
                    <RecordReason>{samples.reason}</RecordReason>
                    <RecordWhen>{samples.time}</RecordWhen>
                  </RecordRow>
                ))}
              </RecordList>
            )}
          </ListBody>
        </div>
      ))}
      <details>
        <FoldHead>
          {samples.camera} <Plate>{samples.empresa}</Plate>
        </FoldHead>
        <HourFrame />
      </details>
      <More label={t('comum.tentarDeNovo')} loading={false} error={null} onMore={() => {}} />
      <ListEndNote>{samples.reason}</ListEndNote>
    </section>
  )
}

/** A picture with boxes, a missing one, and a legend. */
export const Pictures = () => (
  <section>
    <Heading>{samples.camera}</Heading>
    <PictureArea>
      <BoxedPicture src={GREY_PICTURE} alt={samples.camera} rectangles={rectangles} outline={OUTLINE} path={PATH} />
    </PictureArea>
    <Row gap={6}>
      <PictureArea>
        <NoPicture>{samples.reason}</NoPicture>
      </PictureArea>
    </Row>
    <Legend>
      <li>
        <LegendSample /> {samples.camera}
      </li>
    </Legend>
  </section>
)
