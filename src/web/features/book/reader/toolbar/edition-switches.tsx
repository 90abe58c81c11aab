import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { SelectField } from '#web/ui/forms/field.tsx';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { editionLabel, findSwitchedEdition, languageLabel, partLabel } from '../../shelf/edition-labels.ts';
import type { OpenBook } from '../navigation/edition-navigation.ts';

export function EditionSwitches({ edition, editions, offered, onEdition }: OpenBook) {
	const parts = [...new Set(editions.map(({ part }) => part))];
	const languages = [...new Set(editions.map(({ language }) => language))];
	const switchTo = (choice: Partial<Pick<ShelfEdition, 'part' | 'language'>>) => {
		const next = findSwitchedEdition(editions, edition, choice);
		if (next === undefined || next.key === edition.key) return;
		onEdition(next);
		const isSubstitute =
			next.part !== (choice.part ?? edition.part) || next.language !== (choice.language ?? edition.language);
		if (isSubstitute) toastSuccess(m.reader_edition_instead({ edition: editionLabel(offered, next) }));
	};
	return (
		<>
			<Switch
				label={m.reader_parts()}
				options={parts.map((part) => ({ value: String(part), label: partLabel(offered, part) }))}
				value={String(edition.part)}
				onChange={(value) => switchTo({ part: Number(value) })}
			/>
			<Switch
				label={m.reader_language()}
				options={languages.map((language) => ({ value: language, label: languageLabel(offered, language) }))}
				value={edition.language}
				onChange={(language) => switchTo({ language })}
			/>
		</>
	);
}

interface SwitchProps {
	label: string;
	options: Array<{ value: string; label: string }>;
	value: string;
	onChange: (value: string) => void;
}

/** Longest total of the labels that fit beside each other on a phone. */
const segmentsMaxLength = 24;

function Switch({ label, options, value, onChange }: SwitchProps) {
	if (options.length < 2) return null;
	const length = options.reduce((sum, option) => sum + option.label.length, 0);
	if (length <= segmentsMaxLength)
		return <SegmentedSwitch tone="accent" label={label} segments={options} value={value} onChange={onChange} />;
	return (
		<SelectField
			aria-label={label}
			data={options}
			value={value}
			maw={200}
			onChange={(event) => onChange(event.currentTarget.value)}
		/>
	);
}
