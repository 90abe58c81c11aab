import { Stack } from '@mantine/core';
import { IconAlertCircle, IconChevronDown } from '@tabler/icons-react';
import { type ComponentType, useEffect, useRef } from 'react';
import { m } from '#messages';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { type DraftOverview, isProblem } from '../draft/draft-saver.ts';
import { BrandSection } from '../sections/brand-section.tsx';
import { CoversSection } from '../sections/covers-section.tsx';
import { FooterSection } from '../sections/footer-section.tsx';
import { BenefitsSection, ExcerptsSection } from '../sections/item-sections.tsx';
import { LanguageSection } from '../sections/language-section.tsx';
import { LegalSection } from '../sections/legal-section.tsx';
import { HowSection, PurchaseSection } from '../sections/step-sections.tsx';
import { HeroSection, PageSection } from '../sections/text-sections.tsx';
import { VideosSection } from '../sections/videos-section.tsx';
import { contentSections, type SectionKey, sectionKeys, sectionOf } from './content-sections.ts';
import classes from './editor.module.css';

const sectionForms: Record<SectionKey, ComponentType> = {
	languages: LanguageSection,
	hero: HeroSection,
	covers: CoversSection,
	brand: BrandSection,
	benefits: BenefitsSection,
	excerpts: ExcerptsSection,
	videos: VideosSection,
	purchase: PurchaseSection,
	how: HowSection,
	footer: FooterSection,
	page: PageSection,
	legal: LegalSection,
};

interface EditorSectionsProps {
	overview: DraftOverview;
	/** The open section; '' for none. */
	opened: SectionKey | '';
	onOpen: (section: SectionKey | '') => void;
}

export function EditorSections({ overview, opened, onOpen }: EditorSectionsProps) {
	const list = useRef<HTMLDivElement>(null);
	useEffect(() => {
		// Closing the section above moves the opened one out of view.
		if (opened !== '') list.current?.querySelector('[aria-expanded="true"]')?.scrollIntoView({ block: 'start' });
	}, [opened]);
	return (
		<Stack ref={list} gap={8} className={classes.sections}>
			{sectionKeys.map((key) => {
				const { icon: SectionIcon, name } = contentSections[key];
				const states = overview.fields.filter(({ saved }) => sectionOf(saved.field) === key);
				const isOpen = key === opened;
				const Form = sectionForms[key];
				return (
					<section key={key} className={classes.section} aria-label={name()}>
						<h2>
							<button
								type="button"
								className={classes.sectionName}
								aria-expanded={isOpen}
								onClick={() => onOpen(isOpen ? '' : key)}
							>
								<SectionIcon {...iconProps} />
								<span>{name()}</span>
								{states.some(({ phase }) => isProblem(phase)) ? (
									<Badge tone="negative" icon={IconAlertCircle}>
										{m.editor_section_problem()}
									</Badge>
								) : (
									states.some(({ saved }) => saved.isChanged) && <Badge tone="accent">{m.editor_changed()}</Badge>
								)}
								<IconChevronDown {...iconProps} className={classes.chevron} />
							</button>
						</h2>
						{isOpen && (
							<div className={classes.form}>
								<Form />
							</div>
						)}
					</section>
				);
			})}
		</Stack>
	);
}
