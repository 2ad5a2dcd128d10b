alter table assessment_plans_assessment_criteria add column allow_bonus smallint not null default 0;
alter table assessment_results_details add column outcome text;
