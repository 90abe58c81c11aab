import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
	type EditionKey,
	formatEditionLabel,
	listEditionKeys,
	type OfferedEditions,
	partAndLanguage,
} from '#contract/book/editions.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { api } from '#web/platform/api/client.ts';
import { SelectField } from '#web/ui/forms/field.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { ColorInput } from '../fields/color-input.tsx';
import { CoverContrast } from '../fields/contrast-notes.tsx';
import { FieldFrame, type FieldInput } from '../fields/field-frame.tsx';
import { PictureInput } from '../pictures/picture-field.tsx';

const coverAspect = 2 / 3;

export function CoversSection() {
	return (
		<>
			<FieldFrame field="covers" hint={m.editor_covers_hint()} isGroup>
				{(input) => <Covers {...input} />}
			</FieldFrame>
			<FieldFrame field="covers.drawing" hint={m.editor_drawing_hint()} isGroup>
				{({ value, change, errors }) => (
					<Stack gap={12}>
						<SelectField
							label={m.editor_drawing_style()}
							value={value.style}
							data={[
								{ value: 'pyramid', label: m.editor_drawing_pyramid() },
								{ value: 'plain', label: m.editor_drawing_plain() },
							]}
							onChange={({ currentTarget }) =>
								change({ ...value, style: currentTarget.value === 'plain' ? 'plain' : 'pyramid' })
							}
						/>
						{value.style === 'plain' && (
							<>
								<Group gap={12} grow align="flex-start">
									<ColorInput
										label={m.editor_drawing_ground()}
										value={value.ground}
										error={errors.ground}
										onChange={(ground) => change({ ...value, ground })}
									/>
									<ColorInput
										label={m.editor_drawing_ink()}
										value={value.ink}
										error={errors.ink}
										onChange={(ink) => change({ ...value, ink })}
									/>
								</Group>
								<CoverContrast {...value} />
							</>
						)}
					</Stack>
				)}
			</FieldFrame>
		</>
	);
}

function Covers({ value, change }: FieldInput<'covers'>) {
	const editions = useQuery(api.bookSettings.editionPlaces.queryOptions());
	if (editions.data === undefined)
		return editions.isError ? (
			<FailedQuery text={m.editor_covers_failed()} query={editions} />
		) : (
			<SkeletonLines label={m.common_loading()} count={2} height="96px" />
		);
	const { offered } = editions.data;
	return (
		<Stack gap={16}>
			{listEditionKeys(offered).map((key) => (
				<PictureInput
					key={key}
					label={nameEdition(offered, key)}
					kind="cover"
					aspect={coverAspect}
					value={value[key] ?? null}
					onChange={(id) =>
						change(({ [key]: _previous, ...others }) => (id === null ? others : { ...others, [key]: id }))
					}
					emptyText={m.editor_cover_drawn()}
				/>
			))}
		</Stack>
	);
}

function nameEdition(offered: OfferedEditions, key: EditionKey): string {
	const partLabel = (number: number) => m.reader_part({ part: number });
	const label = formatEditionLabel(offered, partAndLanguage(key), { locale: getLocale(), partLabel });
	return label || m.editor_cover();
}
