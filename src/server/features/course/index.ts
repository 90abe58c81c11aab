// Public interface of the course feature.
export { summariseCourse } from './course.service.ts';
