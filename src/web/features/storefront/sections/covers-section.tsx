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
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { drawingNames, optionsOf } from '../editor/content-sections.ts';
import { ColorInput, CoverContrast } from '../fields/color-input.tsx';
import { FieldFrame, type FieldInput } from '../fields/field-frame.tsx';
import { PictureInput } from '../pictures/picture-field.tsx';

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
							data={optionsOf(drawingNames)}
							onChange={({ currentTarget }) =>
								change({ ...value, style: currentTarget.value as keyof typeof drawingNames })
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
	return (
		<LoadedSettings query={editions} failed={m.editor_covers_failed()}>
			{({ offered }) => (
				<Stack gap={16}>
					{listEditionKeys(offered).map((key) => (
						<PictureInput
							key={key}
							label={nameEdition(offered, key)}
							kind="cover"
							value={value[key] ?? null}
							onChange={(id) =>
								change(({ [key]: _previous, ...others }) => (id === null ? others : { ...others, [key]: id }))
							}
							emptyText={m.editor_cover_drawn()}
						/>
					))}
				</Stack>
			)}
		</LoadedSettings>
	);
}

function nameEdition(offered: OfferedEditions, key: EditionKey): string {
	const partLabel = (number: number) => m.reader_part({ part: number });
	const label = formatEditionLabel(offered, partAndLanguage(key), { locale: getLocale(), partLabel });
	return label || m.editor_cover();
}
