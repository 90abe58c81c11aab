import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { SegmentedSwitch } from '#web/ui/forms/segmented-switch.tsx';
import { editionLabel, findSwitchedEdition, languageLabel } from '../../shelf/edition-labels.ts';
import type { OpenBook } from '../navigation/edition-navigation.ts';

export function EditionSwitches({ edition, editions, onEdition }: OpenBook) {
	const parts = [...new Set(editions.map(({ part }) => part))].toSorted();
	const languages = [...new Set(editions.map(({ language }) => language))].toSorted();
	const switchTo = (choice: Partial<Pick<ShelfEdition, 'part' | 'language'>>) => {
		const next = findSwitchedEdition(editions, edition, choice);
		if (next === undefined || next.key === edition.key) return;
		onEdition(next);
		const isSubstitute =
			next.part !== (choice.part ?? edition.part) || next.language !== (choice.language ?? edition.language);
		if (isSubstitute) toastSuccess(m.reader_edition_instead({ edition: editionLabel(next) }));
	};
	return (
		<>
			{parts.length > 1 && (
				<SegmentedSwitch
					tone="accent"
					label={m.reader_parts()}
					segments={parts.map((part) => ({ value: String(part), label: m.reader_part({ part }) }))}
					value={String(edition.part)}
					onChange={(value) => switchTo({ part: value === '2' ? 2 : 1 })}
				/>
			)}
			{languages.length > 1 && (
				<SegmentedSwitch
					tone="accent"
					label={m.reader_language()}
					segments={languages.map((language) => ({ value: language, label: languageLabel(language) }))}
					value={edition.language}
					onChange={(language) => switchTo({ language })}
				/>
			)}
		</>
	);
}
