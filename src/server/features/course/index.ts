export { summariseCourse } from './course.service.ts';
