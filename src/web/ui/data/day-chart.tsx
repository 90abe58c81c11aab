import { Box, Flex } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { m } from '#messages';
import { formatDay } from '#web/platform/formats/format.ts';
import { SegmentedSwitch } from '../forms/segmented-switch.tsx';
import { smallIconProps } from '../primitives/icon.ts';
import textClasses from '../primitives/text.module.css';
import classes from './day-chart.module.css';

interface ChartDay {
	/** YYYY-MM-DD */
	day: string;
	values: readonly number[];
	/** One text for each heading in the chart's `more`. */
	more?: readonly string[];
}

interface DayChartProps {
	title: string;
	/** Oldest first, without gaps: a day without data has the values 0. */
	days: readonly ChartDay[];
	/** Names of the series. The first is drawn filled; the second is hatched and drawn on top of the first. */
	series: readonly string[];
	more?: readonly string[];
	format: (value: number) => string;
	emptyText: string;
	tools?: ReactNode;
}

/** Draws a bar for each day. Screen readers always get a table of the same data; other users can open the table. */
export function DayChart(props: DayChartProps) {
	const { title, days, series, more = [], format, emptyText, tools } = props;
	const titleId = useId();
	const [isTable, setTable] = useState(false);
	const [first, last] = [days[0], days.at(-1)];
	const headings = [...series, ...more];
	const isEmpty = days.every(({ values }) => values.every((value) => value === 0));
	return (
		<figure className={classes.chart} aria-labelledby={titleId}>
			<Flex wrap="wrap" align="center" gap="8px 20px" mb={12}>
				<Box component="h2" fz="inherit" fw={600} id={titleId}>
					{title}
				</Box>
				{first !== undefined && last !== undefined && (
					<Box component="span" c="dimmed">
						{m.chart_range({ from: formatDay(first.day, 'short'), to: formatDay(last.day) })}
					</Box>
				)}
				<Flex component="span" wrap="wrap" align="center" gap="8px 16px" miw={0} className={classes.tools}>
					{series.length > 1 && (
						<Flex component="span" gap={16} c="var(--ink-2)" aria-hidden="true">
							{series.map((name, index) => (
								<span key={name} className={classes.key} data-series={index}>
									{name}
								</span>
							))}
						</Flex>
					)}
					{tools}
					<SegmentedSwitch
						label={m.chart_view()}
						value={isTable ? 'table' : 'chart'}
						onChange={(view) => setTable(view === 'table')}
						segments={[
							{ value: 'chart', label: m.chart_as_chart(), icon: <IconChartBar {...smallIconProps} /> },
							{ value: 'table', label: m.chart_as_table(), icon: <IconTable {...smallIconProps} /> },
						]}
					/>
				</Flex>
			</Flex>
			{!isTable &&
				(isEmpty ? (
					<Box component="p" py={24} c="dimmed" ta="center">
						{emptyText}
					</Box>
				) : (
					<Plot title={series.join(', ')} days={days} headings={headings} format={format} />
				))}
			<section
				className={isTable ? classes.table : textClasses.hidden}
				aria-label={title}
				tabIndex={isTable ? 0 : undefined}
			>
				<table>
					<thead>
						<tr>
							<th scope="col">{m.chart_day()}</th>
							{headings.map((name) => (
								<th key={name} scope="col">
									{name}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{days.toReversed().map((day) => (
							<tr key={day.day}>
								<th scope="row">{formatDay(day.day)}</th>
								{textsOf(day, format).map((text, index) => (
									<td key={headings[index]}>{text}</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</section>
		</figure>
	);
}

const height = 124;
/** Gap between two bars if there is space, in SVG units. */
const gap = 7;

function textsOf({ values, more = [] }: ChartDay, format: DayChartProps['format']): string[] {
	return [...values.map((value) => format(value)), ...more];
}

interface PlotProps extends Pick<DayChartProps, 'title' | 'days' | 'format'> {
	headings: readonly string[];
}

/** Hidden from screen readers, which read the table instead. */
function Plot({ title, days, headings, format }: PlotProps) {
	const hatch = useId();
	const { ref, width } = useElementSize();
	const [hoveredIndex, setHoveredIndex] = useState<number>();
	const top = axisMaximum(Math.max(...days.map(({ values }) => values.reduce((sum, value) => sum + value, 0))));
	const band = width / days.length;
	const bar = Math.max(1, Math.min(band - Math.min(gap, band / 3), 48));
	const day = hoveredIndex === undefined ? undefined : days[hoveredIndex];
	const yOf = (value: number) => height - (value / top) * height;
	return (
		<Flex gap={8} aria-hidden="true">
			<Flex direction="column" justify="space-between" flex="none" className={classes.axis}>
				{[top, top / 2, 0].map((value) => (
					<span key={value}>{format(value)}</span>
				))}
			</Flex>
			<Box
				ref={ref}
				pos="relative"
				flex={1}
				miw={0}
				onPointerMove={({ clientX, currentTarget }) => {
					const at = Math.floor((clientX - currentTarget.getBoundingClientRect().left) / band);
					setHoveredIndex(Math.min(Math.max(at, 0), days.length - 1));
				}}
				onPointerLeave={() => setHoveredIndex(undefined)}
			>
				<svg style={{ display: 'block', overflow: 'visible' }} width={width} height={height}>
					<title>{title}</title>
					<pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
						<rect width="5" height="5" fill="var(--accent-soft)" />
						<line x1="1" y1="0" x2="1" y2="5" stroke="var(--accent)" />
					</pattern>
					{[0, 0.5, 1].map((part) => (
						<line
							key={part}
							stroke="var(--line)"
							shapeRendering="crispEdges"
							x1="0"
							x2={width}
							y1={height * part}
							y2={height * part}
						/>
					))}
					{days.map(({ day: name, values }, index) => {
						const [below = 0, above = 0] = values;
						const x = index * band + (band - bar) / 2;
						const radius = Math.min(2, bar / 3);
						return (
							<g key={name} opacity={hoveredIndex === undefined || hoveredIndex === index ? 1 : 0.55}>
								{below > 0 && (
									<rect
										fill="var(--accent-fill)"
										x={x}
										y={yOf(below)}
										width={bar}
										height={height - yOf(below)}
										rx={radius}
									/>
								)}
								{above > 0 && (
									<rect
										fill={`url(#${hatch})`}
										stroke="var(--accent)"
										x={x + 0.5}
										y={yOf(below + above) + 0.5}
										width={Math.max(bar - 1, 0.5)}
										height={Math.max(yOf(below) - yOf(below + above) - (below > 0 ? 2 : 0.5), 0.5)}
										rx={radius}
									/>
								)}
							</g>
						);
					})}
				</svg>
				<div className={classes.names}>
					{dayTicks(days.length, band).map((index) => (
						<span key={index} style={{ left: (index + 0.5) * band }}>
							{formatDay(days[index]?.day ?? '', 'short')}
						</span>
					))}
				</div>
				{day !== undefined && hoveredIndex !== undefined && (
					<div
						className={classes.tip}
						style={{ left: `clamp(80px, ${(hoveredIndex + 0.5) * band}px, calc(100% - 80px))` }}
					>
						<b>{formatDay(day.day)}</b>
						{textsOf(day, format).map((text, index) => (
							<span key={headings[index]}>
								{headings[index]} <b>{text}</b>
							</span>
						))}
					</div>
				)}
			</Box>
		</Flex>
	);
}

/** Rounds up to 2, 4, 6, 8 or 10 times a power of ten, so that half of the result is a whole number. */
export function axisMaximum(largest: number): number {
	const power = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(largest, 1) / 10)));
	return Math.max(2, Math.ceil(largest / power / 2) * 2) * power;
}

const steps = [1, 2, 5, 7, 10, 14, 30];
/** Width of a day's label with its margins, in SVG units. */
const labelWidth = 60;

/** Returns the indexes of the days that have a label: evenly spaced, as many as fit. */
export function dayTicks(count: number, band: number): number[] {
	if (band <= 0) return [];
	const daysPerLabel = labelWidth / band;
	const step = steps.find((days) => days >= daysPerLabel) ?? Math.ceil(daysPerLabel);
	// Labels are wider than bars. A label at the first or last bar would exceed the chart.
	const margin = Math.max(0, Math.ceil((daysPerLabel - 1) / 2));
	const ticks: number[] = [];
	for (let at = count - 1 - margin; at >= margin; at -= step) ticks.unshift(at);
	return ticks;
}
