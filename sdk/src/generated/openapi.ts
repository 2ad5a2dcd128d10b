// Made from the declarations by npm run generate. Not to be edited.

export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Inspect the calling token
         * @description Inspect the calling token
         */
        get: operations["getTokenContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List students
         * @description List students
         */
        get: operations["listStudents"];
        put?: never;
        /**
         * Create a student
         * @description Create a student
         */
        post: operations["createStudent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted students
         * @description List deleted students
         */
        get: operations["listDeletedStudents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many students by externalId
         * @description Create or update many students by externalId
         */
        post: operations["batchStudents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one student
         * @description Read one student
         */
        get: operations["getStudent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update fields of a student
         * @description Update fields of a student
         */
        patch: operations["updateStudent"];
        trace?: never;
    };
    "/students/external/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or update a student by externalId
         * @description Create or update a student by externalId
         */
        put: operations["upsertStudentByExternalId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admissions/pipeline/statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the configured pipeline statuses
         * @description List the configured pipeline statuses
         */
        get: operations["listPipelineStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admissions/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List admission applications
         * @description List admission applications
         */
        get: operations["listApplications"];
        put?: never;
        /**
         * Create an admission application
         * @description Create an admission application
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admissions/applications/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted admission applications
         * @description List deleted admission applications
         */
        get: operations["listDeletedApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admissions/applications/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many applications by externalId
         * @description Create or update many applications by externalId
         */
        post: operations["batchApplications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admissions/applications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one admission application
         * @description Read one admission application
         */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update fields of an admission application
         * @description Update fields of an admission application
         */
        patch: operations["updateApplication"];
        trace?: never;
    };
    "/admissions/applications/external/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or update an admission application by externalId
         * @description Create or update an admission application by externalId
         */
        put: operations["upsertApplicationByExternalId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admissions/applications/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a contact to an application
         * @description Link a contact to an application
         */
        post: operations["linkApplicationContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admissions/applications/{id}/contacts/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the link of a contact
         * @description Remove the link of a contact
         */
        delete: operations["unlinkApplicationContact"];
        options?: never;
        head?: never;
        /**
         * Update the context of a linked contact
         * @description Update the context of a linked contact
         */
        patch: operations["updateApplicationContact"];
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments and obligations
         * @description List payments and obligations
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Create a payment or obligation
         * @description Create a payment or obligation
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted payments
         * @description List deleted payments
         */
        get: operations["listDeletedPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many payments by externalId
         * @description Create or update many payments by externalId
         */
        post: operations["batchPayments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one payment
         * @description Read one payment
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update fields of a payment
         * @description Update fields of a payment
         */
        patch: operations["updatePayment"];
        trace?: never;
    };
    "/payments/external/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or update a payment by externalId
         * @description Create or update a payment by externalId
         */
        put: operations["upsertPaymentByExternalId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List billing accounts
         * @description List billing accounts
         */
        get: operations["listBillingAccounts"];
        put?: never;
        /**
         * Create a billing account
         * @description Create a billing account
         */
        post: operations["createBillingAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one billing account
         * @description Read one billing account
         */
        get: operations["getBillingAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update fields of a billing account
         * @description Update fields of a billing account
         */
        patch: operations["updateBillingAccount"];
        trace?: never;
    };
    "/billing/accounts/external/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or update a billing account by externalId
         * @description Create or update a billing account by externalId
         */
        put: operations["upsertBillingAccountByExternalId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/students/{studentId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace who pays the fees of a student
         * @description Replace who pays the fees of a student
         */
        put: operations["replaceStudentShares"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/accounts/{id}/obligations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the obligations of an account
         * @description List the obligations of an account
         */
        get: operations["listObligations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/obligations/{paymentId}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Split an obligation into parts with due dates of their own
         * @description Split an obligation into parts with due dates of their own
         */
        post: operations["splitObligation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/obligations/{paymentId}/write-off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write off what will not be paid
         * @description Write off what will not be paid
         */
        post: operations["writeOffObligation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/obligations/{paymentId}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a credit note
         * @description Issue a credit note
         */
        post: operations["creditObligation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List receipts
         * @description List receipts
         */
        get: operations["listReceipts"];
        put?: never;
        /**
         * Post a receipt
         * @description Post a receipt
         */
        post: operations["createReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one receipt
         * @description Read one receipt
         */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/receipts/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a receipt
         * @description Reverse a receipt
         */
        post: operations["reverseReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts of credit
         * @description List payouts of credit
         */
        get: operations["listPayouts"];
        put?: never;
        /**
         * Pay out credit of an account
         * @description Pay out credit of an account
         */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one payout of credit
         * @description Read one payout of credit
         */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/payouts/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a payout of credit
         * @description Reverse a payout of credit
         */
        post: operations["reversePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/accounts/{id}/documents/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or print a document that stands on an account
         * @description Read or print a document that stands on an account
         */
        get: operations["getBillingDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/bank-statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files of bank statements
         * @description List files of bank statements
         */
        get: operations["listBankStatements"];
        put?: never;
        /**
         * Import a file of bank statements
         * @description Import a file of bank statements
         */
        post: operations["importBankStatement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/bank-statements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one file of bank statements
         * @description Read one file of bank statements
         */
        get: operations["getBankStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/bank-statements/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of a file of bank statements
         * @description List the lines of a file of bank statements
         */
        get: operations["listBankStatementLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/bank-statements/{id}/lines/{lineId}/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book a line of a bank statement
         * @description Book a line of a bank statement
         */
        post: operations["matchBankStatementLine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/bank-statements/{id}/lines/{lineId}/unmatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back the booking of a line
         * @description Take back the booking of a line
         */
        post: operations["unmatchBankStatementLine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/accounts/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or print the statement of an account
         * @description Read or print the statement of an account
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/ageing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is open, by the days since it was due
         * @description What is open, by the days since it was due
         */
        get: operations["listAgeing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the ledger
         * @description Export the ledger
         */
        get: operations["getJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/dunning-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs of reminders
         * @description List runs of reminders
         */
        get: operations["listDunningRuns"];
        put?: never;
        /**
         * Propose reminders of what is overdue
         * @description Propose reminders of what is overdue
         */
        post: operations["createDunningRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/dunning-runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one run of reminders, or print those that are to be delivered on paper
         * @description Read one run of reminders, or print those that are to be delivered on paper
         */
        get: operations["getDunningRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/dunning-runs/{id}/notices/{noticeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a reminder as it is, or would be, sent
         * @description Read a reminder as it is, or would be, sent
         */
        get: operations["getDunningNotice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/dunning-runs/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send reminders that were proposed
         * @description Send reminders that were proposed
         */
        post: operations["sendDunningRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/obligations/{paymentId}/dunning-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Stop reminders of an obligation, or let them go on
         * @description Stop reminders of an obligation, or let them go on
         */
        put: operations["holdDunning"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/accounts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was sent to the payer of an account
         * @description Read what was sent to the payer of an account
         */
        get: operations["getBillingTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/direct-debits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs of direct debits
         * @description List runs of direct debits
         */
        get: operations["listDirectDebits"];
        put?: never;
        /**
         * Collect what is due by direct debit
         * @description Collect what is due by direct debit
         */
        post: operations["createDirectDebit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/direct-debits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run of direct debits, or the file for the bank
         * @description Read a run of direct debits, or the file for the bank
         */
        get: operations["getDirectDebit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/direct-debits/{id}/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return debits of a run
         * @description Return debits of a run
         */
        post: operations["returnDirectDebits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/programs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List programs
         * @description List programs
         */
        get: operations["listPrograms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/programs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one program
         * @description Read one program
         */
        get: operations["getProgram"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List courses
         * @description List courses
         */
        get: operations["listCourses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/courses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one course
         * @description Read one course
         */
        get: operations["getCourse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description List documents
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/documents/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted documents
         * @description List deleted documents
         */
        get: operations["listDeletedDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one document
         * @description Read one document
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update metadata and status of a document
         * @description Update metadata and status of a document
         */
        patch: operations["updateDocument"];
        trace?: never;
    };
    "/vault/documents/upload-intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a document, or a new version of one, and a signed upload address
         * @description Create a document, or a new version of one, and a signed upload address
         */
        post: operations["createUploadIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/documents/{documentId}/versions/{versionId}/upload-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the signed upload address of a pending version
         * @description Renew the signed upload address of a pending version
         */
        post: operations["renewUploadUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/documents/{documentId}/versions/{versionId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an upload
         * @description Complete an upload
         */
        post: operations["completeUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/documents/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a signed address that hands out a document’s file
         * @description Get a signed address that hands out a document’s file
         */
        get: operations["downloadDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/documents/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a document to a student or an application
         * @description Link a document to a student or an application
         */
        post: operations["linkDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/document-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active document types
         * @description List the active document types
         */
        get: operations["listDocumentTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/requirement-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active requirement profiles
         * @description List the active requirement profiles
         */
        get: operations["listRequirementProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the document requirements of a student or an application
         * @description Read the document requirements of a student or an application
         */
        get: operations["getRequirements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List document requests
         * @description List document requests
         */
        get: operations["listDocumentRequests"];
        put?: never;
        /**
         * Create a public document request
         * @description Create a public document request
         */
        post: operations["createDocumentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one document request
         * @description Read one document request
         */
        get: operations["getDocumentRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Revoke a document request, or move its expiry
         * @description Revoke a document request, or move its expiry
         */
        patch: operations["updateDocumentRequest"];
        trace?: never;
    };
    "/forms/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List form templates
         * @description List form templates
         */
        get: operations["listFormTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List submissions, by template or record
         * @description List submissions, by template or record
         */
        get: operations["listFormSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens
         * @description Follow what happens
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the endpoints
         * @description List the endpoints
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have events delivered to an address
         * @description Have events delivered to an address
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one endpoint
         * @description Read one endpoint
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove an endpoint with its deliveries
         * @description Remove an endpoint with its deliveries
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update fields of an endpoint, enable or disable it
         * @description Update fields of an endpoint, enable or disable it
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an endpoint another secret
         * @description Give an endpoint another secret
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a ping at once
         * @description Send a ping at once
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an endpoint
         * @description List the deliveries of an endpoint
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/redeliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description Deliver again
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was done, and by whom
         * @description List what was done, and by whom
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disclosures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who read records about people
         * @description List who read records about people
         */
        get: operations["listDisclosures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Actor
         * @description Who did it.
         */
        Actor: {
            /** @description `api_key`, `user`, `operator` (the command line), `system` (a job) or `link` (a public page). */
            type: string;
            /**
             * Format: uuid
             * @description Id of the key, the user or the record of the public page; null where there is none.
             */
            id: string | null;
            /** @description What it is called. */
            name: string;
        };
        /**
         * Adjustment
         * @description A write-off or a credit note.
         */
        Adjustment: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Its number. */
            number: string;
            /**
             * Format: uuid
             * @description The obligation.
             */
            paymentId: string;
            /** @description Its amount. */
            amount: number;
            /** @description Why. */
            reason: string;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
        };
        /**
         * AdjustmentBody
         * @description An amount and why.
         */
        AdjustmentBody: {
            /** @description Amount, in units of the currency. */
            amount: number;
            /** @description Why, for the books. */
            reason: string;
        };
        /**
         * AdmissionApplication
         * @description An admission application.
         */
        AdmissionApplication: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /** @description Code of the application; the record name on the Resource API. */
            applicationCode: string;
            /** @description Full name of the applicant. */
            fullName: string;
            /**
             * Format: uuid
             * @description Id of the program; null without one.
             */
            programId: string | null;
            /** @description Name of the program; empty without one. */
            program: string;
            /** @description The program that the record belongs to. */
            programRef: components["schemas"]["ProgramRef"] | null;
            /** @description Key of a status of the tenant’s pipeline, in which the application is. */
            status: string;
            /** @description Given names. */
            givenNames: string | null;
            /** @description Family names. */
            familyNames: string | null;
            /** @description E-mail address. */
            email: string | null;
            /** @description Telephone number. */
            phone: string | null;
            /** @description Country. */
            country: string | null;
            /** @description State or province. */
            stateProvince: string | null;
            /** @description City. */
            city: string | null;
            /** @description Street address. */
            address: string | null;
            /** @description Academic year. */
            academicYear: string | null;
            /** @description Academic period. */
            academicPeriod: string | null;
            /** @description Address of a photo. */
            photoUrl: string | null;
            /**
             * Format: uuid
             * @description The student that the applicant became.
             */
            studentId: string | null;
            /**
             * Format: uuid
             * @description The person of the primary contact.
             */
            contactId: string | null;
            /** @description A person of the tenant, linked to an application or a student in a role. */
            primaryContact: components["schemas"]["ContactLink"] | null;
            /** @description Every linked contact, oldest first. */
            contacts: components["schemas"]["ContactLink"][];
            /** @description The fields that the institution has defined, each with its value or null, see `GET /me`; until it has defined one, whatever integrators keep here. */
            customFields: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * AgeingRow
         * @description What is open by the days since it was due, in one currency.
         */
        AgeingRow: {
            /**
             * Format: uuid
             * @description Id of the account, the student, the group, the program or the academic year.
             */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /** @description Not due yet. */
            notDue: number;
            /** @description Due for 1 to 30 days. */
            days1To30: number;
            /** @description Due for 31 to 60 days. */
            days31To60: number;
            /** @description Due for 61 to 90 days. */
            days61To90: number;
            /** @description Due for more than 90 days. */
            over90: number;
            /** @description All together. */
            total: number;
        };
        /**
         * Allocation
         * @description What is applied to one obligation.
         */
        Allocation: {
            /**
             * Format: uuid
             * @description The obligation: id of the payment.
             */
            paymentId: string;
            /** @description What is applied. */
            amount: number;
        };
        /**
         * AllocationInput
         * @description What is applied to one obligation.
         */
        AllocationInput: {
            /**
             * Format: uuid
             * @description The obligation: id of the payment.
             */
            paymentId: string;
            /** @description Amount, in units of the currency. */
            amount: number;
        };
        /**
         * AuditEntry
         * @description An action that was done, or rejected, and by whom. Entries are added and never changed.
         */
        AuditEntry: {
            /**
             * Format: uuid
             * @description Id of the entry. Later entries have greater ones.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was done. RFC 3339, UTC, milliseconds.
             */
            occurredAt: string;
            /** @description What was done, `noun.past_verb`: the types of events, and what leaves no event, such as `user.logged_in`. */
            action: string;
            /** @description The kind of record that it was done with. */
            entityType: string;
            /**
             * Format: uuid
             * @description Id of the record; null where it was done with none.
             */
            entityId: string | null;
            /** @description The key that the record had in the integrator’s own system. */
            externalId: string | null;
            /** @description Who did it. */
            actor: components["schemas"]["Actor"];
            /** @description The record before; null where it came into being, or was not changed. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description The record after, or what is known of what was done; null where the record is gone. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The fields that differ between both; none where nothing was changed. */
            changed: string[];
            /**
             * Format: uuid
             * @description Id of the request, as in its Request-Id; null outside of requests.
             */
            requestId: string | null;
            /** @description The network address that it was asked from; null outside of requests. */
            address: string | null;
        };
        /**
         * BankStatement
         * @description A file of bank statements.
         */
        BankStatement: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description `camt.053.001.02`, `camt.053.001.04`, `camt.053.001.08`, `camt.054.…`, `mt940`, `ofx` or `csv`. */
            format: string;
            /** @description The bank account (IBAN). */
            account: string;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /** @description Number of the statement. */
            number: string | null;
            /**
             * Format: date
             * @description The first day.
             */
            from: string | null;
            /**
             * Format: date
             * @description The last day.
             */
            to: string | null;
            /** @description The balance before its lines; null in formats without one. */
            openingBalance: number | null;
            /** @description The balance after its lines; null in formats without one. */
            closingBalance: number | null;
            /** @description How many lines it has. */
            lines: components["schemas"]["StatementLineCounts"];
            /** @description What was accepted and is to be looked at. */
            warnings: components["schemas"]["StatementWarning"][];
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
        };
        /**
         * BankStatementLine
         * @description An entry of a bank statement.
         */
        BankStatementLine: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: date
             * @description The day on which the bank booked it.
             */
            bookedOn: string;
            /**
             * Format: date
             * @description The day from which it counts.
             */
            valueOn: string | null;
            /** @description What came in; negative for what went out. */
            amount: number;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /** @description Reference of the bank. */
            bankReference: string | null;
            /** @description End-to-end identification. */
            endToEndId: string | null;
            /** @description Structured reference of the payer. */
            reference: string | null;
            /** @description Name of the other side. */
            name: string | null;
            /** @description Account of the other side (IBAN). */
            iban: string | null;
            /** @description What the payer wrote. */
            text: string | null;
            /** @description Why it came back (ISO 20022); null for what is no return. */
            returnReason: string | null;
            /** @description The transactions of a batch; empty for a single one. */
            details: components["schemas"]["BankStatementLinePart"][];
            /**
             * @description Whether it is still to be booked; `ignored`: nothing of it is to be booked here.
             * @enum {string}
             */
            status: "open" | "booked" | "ignored";
            /** @description The receipts that it posted, or reversed. */
            receiptIds: string[];
            /** @description What it may pay, the likeliest first. */
            proposals: components["schemas"]["BankStatementProposal"][];
        };
        /**
         * BankStatementLinePart
         * @description One transaction of a batch.
         */
        BankStatementLinePart: {
            /** @description What came in; negative for what went out. */
            amount: number;
            /** @description End-to-end identification. */
            endToEndId: string | null;
            /** @description Structured reference of the payer. */
            reference: string | null;
            /** @description Name of the other side. */
            name: string | null;
            /** @description Account of the other side (IBAN). */
            iban: string | null;
            /** @description What the payer wrote. */
            text: string | null;
            /** @description Why it came back (ISO 20022); null for what is no return. */
            returnReason: string | null;
        };
        /**
         * BankStatementProposal
         * @description What a line may pay.
         */
        BankStatementProposal: {
            /**
             * Format: uuid
             * @description The billing account.
             */
            accountId: string;
            /**
             * Format: uuid
             * @description The obligation: id of the payment.
             */
            paymentId: string;
            /** @description What it would pay of it. */
            amount: number;
        };
        /**
         * BatchApplicationsBody
         * @description Up to 500 applications with their externalIds.
         */
        BatchApplicationsBody: {
            /**
             * @description Whether one rejected item rejects the whole batch, so that nothing is written.
             * @default false
             */
            atomic?: boolean;
            /** @description What is created or changed, each externalId once, as `PUT /admissions/applications/external/{externalId}` does. */
            items: components["schemas"]["BatchApplicationsItem"][];
        };
        /**
         * BatchApplicationsItem
         * @description The externalId, and the body of the upsert of the record with it.
         */
        BatchApplicationsItem: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string;
            /** @description Full name; composed from the other two when absent. */
            fullName?: string;
            /** @description Given names. */
            givenNames?: string | null;
            /** @description Family names. */
            familyNames?: string | null;
            /**
             * Format: uuid
             * @description Id of the program; wins over `program`.
             */
            programId?: string | null;
            /** @description Name of a program that has no record here. */
            program?: string;
            /** @description Key of a status of the tenant’s pipeline; the initial one when absent. */
            status?: string;
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street address. */
            address?: string | null;
            /** @description Academic year. */
            academicYear?: string | null;
            /** @description Academic period. */
            academicPeriod?: string | null;
            /**
             * Format: uri
             * @description An https address.
             */
            photoUrl?: string | null;
            /**
             * Format: uuid
             * @description The student that the applicant became.
             */
            studentId?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. Until it has defined one, members of the integrator’s choosing, merged by RFC 7396. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Contacts to link to the new application, in this order. */
            contacts?: components["schemas"]["LinkContactBody"][];
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly applicationCode?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly programRef?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly contactId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly primaryContact?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * BatchOutcome
         * @description What became of one item of a batch.
         */
        BatchOutcome: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string;
            /**
             * @description What became of the item.
             * @enum {string}
             */
            outcome: "created" | "updated" | "unchanged" | "refused";
            /**
             * Format: uuid
             * @description Id of the record; null where the item was rejected.
             */
            id: string | null;
            /** @description The problem document (RFC 9457) of the item’s upsert, with its first five validation errors, whose pointers are below the item, such as `#/items/3/amount`; null where it was not rejected. */
            problem: Record<string, never> | null;
        };
        /**
         * BatchPaymentsBody
         * @description Up to 500 payments with their externalIds.
         */
        BatchPaymentsBody: {
            /**
             * @description Whether one rejected item rejects the whole batch, so that nothing is written.
             * @default false
             */
            atomic?: boolean;
            /** @description What is created or changed, each externalId once, as `PUT /payments/external/{externalId}` does. */
            items: components["schemas"]["BatchPaymentsItem"][];
        };
        /**
         * BatchPaymentsItem
         * @description The externalId, and the body of the upsert of the record with it.
         */
        BatchPaymentsItem: {
            /**
             * Format: uuid
             * @description The student who pays; fixed once created.
             */
            studentId?: string;
            /** @description Amount, in units of the currency. */
            amount?: number;
            /** @description Three letters (ISO 4217), stored in upper case. */
            currency?: string;
            /**
             * @description Where the payment stands.
             * @enum {string}
             */
            status?: "pending" | "paid" | "overdue" | "cancelled" | "refunded";
            /** @description What it is for. */
            description?: string;
            /** @description When it is due; null means on creation. */
            dueDate?: string | null;
            /** @description When it was paid; set to now when absent and status becomes paid. */
            paidAt?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. An unknown one is a fault. At most 200 keys. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentName?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentCode?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly processorPaymentIntentId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * BatchStudentsBody
         * @description Up to 500 students with their externalIds.
         */
        BatchStudentsBody: {
            /**
             * @description Whether one rejected item rejects the whole batch, so that nothing is written.
             * @default false
             */
            atomic?: boolean;
            /** @description What is created or changed, each externalId once, as `PUT /students/external/{externalId}` does. */
            items: components["schemas"]["BatchStudentsItem"][];
        };
        /**
         * BatchStudentsItem
         * @description The externalId, and the body of the upsert of the record with it.
         */
        BatchStudentsItem: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string;
            /** @description Code of the student; generated when absent. */
            studentCode?: string;
            /** @description Full name; composed from the other two when absent. */
            fullName?: string;
            /** @description Given names. */
            givenNames?: string | null;
            /** @description Family names. */
            familyNames?: string | null;
            /** @description Name that the student goes by. */
            preferredName?: string | null;
            /**
             * @description Where the student stands.
             * @enum {string}
             */
            status?: "active" | "inactive" | "graduated" | "withdrawn" | "suspended";
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /**
             * Format: date
             * @description Date of birth, `YYYY-MM-DD`, before today.
             */
            dateOfBirth?: string | null;
            /** @description Gender. */
            gender?: string | null;
            /** @description Nationality. */
            nationality?: string | null;
            /** @description Kind of identity document. */
            documentType?: string | null;
            /** @description Number of the identity document. */
            documentNumber?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street address. */
            address?: string | null;
            /** @description Postal code. */
            postalCode?: string | null;
            /**
             * Format: uri
             * @description An https address.
             */
            photoUrl?: string | null;
            /**
             * Format: uuid
             * @description Id of the program; wins over `program`.
             */
            programId?: string | null;
            /** @description Name of a program that has no record here. */
            program?: string;
            /** @description Academic year. */
            academicYear?: string | null;
            /** @description Academic period. */
            academicPeriod?: string | null;
            /**
             * Format: date-time
             * @description When the student enrolled. RFC 3339 with `Z` or an offset.
             */
            enrolledAt?: string | null;
            /**
             * Format: date-time
             * @description When the student left. RFC 3339 with `Z` or an offset.
             */
            withdrawnAt?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. Until it has defined one, members of the integrator’s choosing, merged by RFC 7396. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly programRef?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly primaryContact?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly contacts?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * BillingAccount
         * @description A payer: a family, a company, a sponsor or a student.
         */
        BillingAccount: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /** @description Number of the account. */
            accountNumber: string;
            /** @description Name of the payer. */
            name: string;
            /**
             * @description What the payer is.
             * @enum {string}
             */
            kind: "family" | "company" | "sponsor" | "student";
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /**
             * @description Language of what is sent to the payer.
             * @enum {string}
             */
            language: "en" | "es" | "fr" | "pt";
            /** @description E-mail address. */
            email: string | null;
            /** @description Telephone number. */
            phone: string | null;
            /** @description Country. */
            country: string | null;
            /** @description State or province. */
            stateProvince: string | null;
            /** @description City. */
            city: string | null;
            /** @description Street and number. */
            address: string | null;
            /** @description Postal code. */
            postalCode: string | null;
            /** @description Tax number. */
            taxId: string | null;
            /**
             * @description How invoices and reminders are delivered.
             * @enum {string}
             */
            deliverBy: "mail" | "print" | "none";
            /** @description Name of the Payment Terms Template that cuts fees into instalments. */
            paymentTerms: string | null;
            /** @description A mandate for direct debits. */
            mandate: components["schemas"]["Mandate"] | null;
            /** @description What it pays. */
            shares: components["schemas"]["Share"][];
            /** @description What is open, less the credit. */
            balance: number;
            /** @description What was due before today. */
            overdue: number;
            /** @description Money received that is not allocated. */
            credit: number;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * BillingActor
         * @description Who did it.
         */
        BillingActor: {
            /** @description `api_key`, `user`, `operator`, `system` or `link`. */
            type: string;
            /**
             * Format: uuid
             * @description Id of the key or the user.
             */
            id: string | null;
            /** @description Name of the key or the user. */
            name: string;
        };
        /**
         * BillingDocument
         * @description A document that stands on an account.
         */
        BillingDocument: {
            /**
             * @description What kind of document it is.
             * @enum {string}
             */
            kind: "invoice" | "receipt" | "credit_note" | "write_off" | "payout";
            /** @description Its number. */
            number: string;
            /**
             * Format: uuid
             * @description The account.
             */
            accountId: string;
            /**
             * Format: date
             * @description The day on which it was posted.
             */
            date: string;
            /** @description Whether it was cancelled or reversed. */
            isCancelled: boolean;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /** @description What it is over. */
            amount: number;
            /** @description What is still to be paid of an invoice. */
            openAmount: number;
            /** @description Why, of a credit note, a write-off or a payout. */
            reason: string | null;
            /** @description Reference of the payer or of the bank. */
            reference: string | null;
            /** @description What it is for. */
            items: components["schemas"]["BillingDocumentItem"][];
            /** @description What is to be paid of an invoice, by due date; empty for other documents. */
            instalments: components["schemas"]["BillingDocumentInstalment"][];
        };
        /**
         * BillingDocumentInstalment
         * @description What is to be paid of an invoice, and when.
         */
        BillingDocumentInstalment: {
            /**
             * Format: uuid
             * @description The obligation: id of the payment.
             */
            paymentId: string;
            /**
             * Format: date
             * @description The day on which it is due.
             */
            dueDate: string;
            /** @description What is to be paid. */
            amount: number;
            /** @description What is still to be paid. */
            openAmount: number;
            /** @description Reference to be named in a transfer (ISO 11649). */
            paymentReference: string;
        };
        /**
         * BillingDocumentItem
         * @description What a document charges, pays or takes back.
         */
        BillingDocumentItem: {
            /** @description What it is for. */
            description: string;
            /** @description Full name of the student. */
            studentName: string | null;
            /** @description Its amount. */
            amount: number;
        };
        /**
         * BillingTimelineEntry
         * @description What was sent to the payer of an account.
         */
        BillingTimelineEntry: {
            /**
             * Format: uuid
             * @description Id of what was sent.
             */
            id: string;
            /**
             * @description What was sent.
             * @enum {string}
             */
            kind: "dunning_notice";
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description The level of the reminder. */
            level: number;
            /**
             * @description By mail, or to be printed.
             * @enum {string}
             */
            channel: "mail" | "print";
            /** @description Whom it was sent to. */
            recipient: string;
            /** @description Its subject. */
            subject: string;
            /** @description Its text. */
            text: string;
            /** @description What it asks for. */
            amount: number;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /** @description Who did it. */
            by: components["schemas"]["BillingActor"];
        };
        /**
         * CompleteUploadBody
         * @description What is known of the file that was uploaded.
         */
        CompleteUploadBody: {
            /** @description SHA-256 of the file, 64 lower-case hexadecimal digits. */
            checksumSha256?: string;
        };
        /**
         * ContactLink
         * @description A person of the tenant, linked to an application or a student in a role.
         */
        ContactLink: {
            /**
             * Format: uuid
             * @description Id of the link.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the person.
             */
            contactId: string;
            /**
             * @description What the person is to the applicant or student.
             * @enum {string}
             */
            role: "applicant" | "primary_contact" | "family" | "emergency" | "billing" | "other";
            /** @description The relation in words, such as Mother. */
            relationshipLabel: string | null;
            /** @description Whether this is the one to turn to first. */
            isPrimary: boolean;
            /**
             * @description Where the link came from.
             * @enum {string}
             */
            source: "manual" | "import" | "api" | "whatsapp" | "form" | "system";
            /** @description Name of the person. */
            displayName: string;
            /** @description E-mail address. */
            email: string | null;
            /** @description Telephone number. */
            phone: string | null;
            /** @description Free values. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * Course
         * @description A course, which may belong to several programs.
         */
        Course: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /** @description Short code. */
            code: string;
            /** @description Name, unique in the tenant. */
            name: string;
            /** @description Description; empty when there is none. */
            description: string;
            /** @description The programs that the course belongs to, by name. */
            programs: {
                /**
                 * Format: uuid
                 * @description Id of the program.
                 */
                id: string;
                /** @description Name of the program. */
                name: string;
            }[];
            /** @description Credits. */
            credits: number | null;
            /** @description Hours of teaching. */
            hours: number | null;
            /** @description Department that offers it, by name. */
            department: string | null;
            /**
             * @description Whether it is offered.
             * @enum {string}
             */
            status: "active" | "inactive" | "archived";
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
            /** @description The fields that the institution has defined, each with its value or null, see `GET /me`; absent where it has defined none. */
            customFields?: {
                [key: string]: unknown;
            };
        };
        /**
         * CreateApplicationBody
         * @description Fields of a new application, and its contacts. To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`.
         */
        CreateApplicationBody: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string | null;
            /** @description Full name; composed from the other two when absent. */
            fullName?: string;
            /** @description Given names. */
            givenNames?: string | null;
            /** @description Family names. */
            familyNames?: string | null;
            /**
             * Format: uuid
             * @description Id of the program; wins over `program`.
             */
            programId?: string | null;
            /** @description Name of a program that has no record here. */
            program?: string;
            /** @description Key of a status of the tenant’s pipeline; the initial one when absent. */
            status?: string;
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street address. */
            address?: string | null;
            /** @description Academic year. */
            academicYear?: string | null;
            /** @description Academic period. */
            academicPeriod?: string | null;
            /**
             * Format: uri
             * @description An https address.
             */
            photoUrl?: string | null;
            /**
             * Format: uuid
             * @description The student that the applicant became.
             */
            studentId?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. Until it has defined one, members of the integrator’s choosing, merged by RFC 7396. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Contacts to link to the new application, in this order. */
            contacts?: components["schemas"]["LinkContactBody"][];
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly applicationCode?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly programRef?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly contactId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly primaryContact?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * CreateBillingAccountBody
         * @description A new account. `name` is required.
         */
        CreateBillingAccountBody: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string;
            /** @description Name of the payer. */
            name: string;
            /**
             * @description What the payer is; `family` by default.
             * @enum {string}
             */
            kind?: "family" | "company" | "sponsor" | "student";
            /** @description Currency; the institution’s by default, fixed once posted. */
            currency?: string;
            /**
             * @description Language; the institution’s by default.
             * @enum {string}
             */
            language?: "en" | "es" | "fr" | "pt";
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street and number. */
            address?: string | null;
            /** @description Postal code. */
            postalCode?: string | null;
            /** @description Tax number. */
            taxId?: string | null;
            /**
             * @description How invoices and reminders are delivered; `none` by default.
             * @enum {string}
             */
            deliverBy?: "mail" | "print" | "none";
            /** @description Name of a Payment Terms Template. */
            paymentTerms?: string | null;
            /** @description A mandate for direct debits. */
            mandate?: components["schemas"]["MandateInput"] | null;
            /** @description Replaces what the account pays. */
            shares?: components["schemas"]["ShareOfAccount"][];
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly accountNumber?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly balance?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly overdue?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly credit?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * CreateDirectDebitBody
         * @description What is to be collected.
         */
        CreateDirectDebitBody: {
            /**
             * Format: date
             * @description The day of collection: at least the days of notice ahead that the institution has set (`preNotificationDays`).
             */
            collectionDate: string;
            /**
             * Format: date
             * @description Only what is due on or before this day.
             */
            dueTo: string;
            /** @description Only from these accounts; by default from all that have a mandate. */
            accountIds?: string[];
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly status?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly debits?: unknown;
        };
        /**
         * CreateDocumentRequestBody
         * @description Who is asked for which documents: exactly one of `items`, `documentTypeIds` and `fromRequirements`. The recipient is the primary contact of the student or the application when absent, or else the student or the applicant.
         */
        CreateDocumentRequestBody: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string;
            /**
             * @description What kind of record the document belongs to.
             * @enum {string}
             */
            entityType: "student" | "application";
            /**
             * Format: uuid
             * @description Id of the student or the application.
             */
            entityId: string;
            /** @description The documents to ask for, in order. */
            items?: components["schemas"]["DocumentRequestItemInput"][];
            /** @description Ids of active document types: one required document of each. */
            documentTypeIds?: string[];
            /** @description True asks for every requirement that is not satisfied, waived, or waiting for a review. */
            fromRequirements?: boolean;
            /** @description Who is asked. A person of the tenant by `contactId`, anybody else by name, e-mail and telephone number. */
            recipient?: components["schemas"]["RequestRecipientInput"];
            /** @description Title; a default in the locale when absent. */
            title?: string;
            /** @description What is said to the recipient. */
            message?: string;
            /** @description When the page ceases to take files, at most 90 days ahead; a bare date means midnight UTC. */
            expiresAt?: string;
            /**
             * @description Days until the page ceases to take files, instead of `expiresAt`.
             * @default 14
             */
            expiresInDays?: number;
            /**
             * @description The language of the page and of the mail. When absent, the browser decides for the page, and the mail is in the language of the recipient’s user, or else of the institution.
             * @enum {string}
             */
            locale?: "en" | "es" | "fr" | "pt";
            /** @description Whether the recipient gets an e-mail with the link; false when absent. */
            notify?: boolean;
        };
        /**
         * CreatePaymentBody
         * @description A new payment or obligation.
         */
        CreatePaymentBody: {
            /**
             * Format: uuid
             * @description The student who pays.
             */
            studentId: string;
            /** @description Amount, in units of the currency. */
            amount: number;
            /** @description What it is for. */
            description: string;
            /** @description When it is due; null means on creation. */
            dueDate: string | null;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string;
            /**
             * @description Three letters (ISO 4217), stored in upper case.
             * @default USD
             */
            currency?: string;
            /**
             * @description Where the payment stands.
             * @default pending
             * @enum {string}
             */
            status?: "pending" | "paid" | "overdue" | "cancelled" | "refunded";
            /** @description When it was paid; set to now when absent and status becomes paid. */
            paidAt?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. An unknown one is a fault. At most 200 keys. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentName?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentCode?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly processorPaymentIntentId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * CreatePayoutBody
         * @description Credit that is paid out.
         */
        CreatePayoutBody: {
            /**
             * Format: uuid
             * @description The account whose credit it is.
             */
            accountId: string;
            /**
             * Format: date
             * @description The day on which the money went out; not in the future.
             */
            paidOn: string;
            /**
             * @description How it is paid.
             * @enum {string}
             */
            method: "cash" | "transfer" | "card" | "cheque" | "other";
            /** @description Amount, in units of the currency. */
            amount: number;
            /** @description Reference of the transfer or the cheque. */
            reference?: string | null;
            /** @description Why, for the books. */
            reason?: string | null;
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly payoutNumber?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly currency?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly status?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly reversedBy?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdBy?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * CreateReceiptBody
         * @description Money that came in.
         */
        CreateReceiptBody: {
            /**
             * Format: uuid
             * @description The account that paid.
             */
            accountId: string;
            /**
             * Format: date
             * @description The day on which the money came in; not in the future.
             */
            receivedOn: string;
            /**
             * @description How it was paid; `credit` takes from the credit of the account.
             * @enum {string}
             */
            method: "cash" | "transfer" | "card" | "cheque" | "direct_debit" | "credit" | "other";
            /** @description Amount, in units of the currency. */
            amount: number;
            /** @description Reference of the payer or of the bank. */
            reference?: string | null;
            /** @description The currency of the account, by default. */
            currency?: string;
            /** @description What it pays, each obligation once; an empty list pays nothing yet. */
            allocations?: components["schemas"]["AllocationInput"][];
            /**
             * @description Pays what is open by due date, then creation: the default. Not together with `allocations`.
             * @enum {string}
             */
            allocate?: "oldest";
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly receiptNumber?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly unallocated?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly status?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly reversedBy?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdBy?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * CreateWebhookBody
         * @description A new endpoint.
         */
        CreateWebhookBody: {
            /** @description An https address on the public internet, without credentials; every address that its name stands for must be public. An operator may allow networks of their own (`WEBHOOK_ALLOWED_NETWORKS`). */
            url: string;
            /** @description Types of events; `payment.*` stands for all of a resource, `["*"]` for all that the token may read. At most 50. The token needs the read scope of each. */
            types: string[];
            /** @description What it is for. */
            description?: string;
            /**
             * @description Whether events are delivered to it.
             * @default true
             */
            enabled?: boolean;
        };
        /**
         * CustomField
         * @description A field that the institution has defined.
         */
        CustomField: {
            /** @description Its name below `customFields`. */
            name: string;
            /** @description What people call it. */
            label: string;
            /**
             * @description What it holds: text has at most 140 characters, a link the name of a record, a date `YYYY-MM-DD`, a date_time RFC 3339, a time `HH:MM:SS`, a duration seconds.
             * @enum {string}
             */
            type: "text" | "long_text" | "option" | "link" | "date" | "date_time" | "time" | "boolean" | "integer" | "number" | "duration";
            /** @description Whether people have to fill it in; it cannot be cleared then. */
            required: boolean;
            /** @description Whether no two records have the same value. */
            unique: boolean;
            /** @description What an option may be; empty for other types. */
            options: string[];
            /** @description The record type whose records a link names; null for other types. */
            linksTo: string | null;
            /** @description Help text for people. */
            description: string | null;
        };
        /**
         * Debit
         * @description What is collected from one account.
         */
        Debit: {
            /** @description What the bank names the debit by, in the file and in its returns: unique, at most 35 characters. */
            endToEndId: string;
            /**
             * Format: uuid
             * @description The account that pays.
             */
            accountId: string;
            /** @description Reference of the mandate. */
            mandateId: string;
            /**
             * @description Whether it is the first collection of the mandate.
             * @enum {string}
             */
            sequence: "FRST" | "RCUR";
            /** @description What is collected. */
            amount: number;
            /**
             * Format: uuid
             * @description The receipt that it posted.
             */
            receiptId: string;
            /**
             * @description Whether it was returned.
             * @enum {string}
             */
            status: "collected" | "returned";
            /** @description Why it was returned. */
            reasonCode: string | null;
        };
        /**
         * DeletedRecord
         * @description A record that is gone.
         */
        DeletedRecord: {
            /**
             * Format: uuid
             * @description The id that the record had. A record that is made again gets another one.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /**
             * Format: date-time
             * @description When it was deleted. RFC 3339, UTC, milliseconds.
             */
            deletedAt: string;
            /**
             * Format: uuid
             * @description Id of the record that it was merged into; null where it was deleted.
             */
            mergedInto: string | null;
        };
        /**
         * Delivery
         * @description An event on its way to an endpoint, or arrived there.
         */
        Delivery: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the event: the `webhook-id` of every attempt.
             */
            eventId: string;
            /** @description The type of the event. */
            type: string;
            /** @description Position of the event in the feed; null of a ping, which is none. */
            position: string | null;
            /**
             * @description Whether it arrived, is still tried, or was given up.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description The attempts, oldest first: the last 20. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /**
             * Format: date-time
             * @description When it is tried next; null where it is not. RFC 3339, UTC, milliseconds.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
        };
        /**
         * DeliveryAttempt
         * @description One try to deliver.
         */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When it left. RFC 3339, UTC, milliseconds.
             */
            at: string;
            /** @description The status that was answered; null where none was. */
            httpStatus: number | null;
            /** @description How long it took, in milliseconds. */
            durationMs: number;
            /** @description Why it failed; null where it arrived. `http_status`: the answer was not 2xx; `redirect`: it was 3xx, which is not followed; `timeout`: the answer was not whole after 15 seconds; `address_not_allowed`: the name stands for an address that is not public. */
            error: string | null;
        };
        /**
         * DirectDebit
         * @description A run of direct debits: what is collected on one day.
         */
        DirectDebit: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: date
             * @description The day on which the payers’ banks are asked for the money.
             */
            collectionDate: string;
            /**
             * @description Whether debits were returned: none, some or all of them.
             * @enum {string}
             */
            status: "collected" | "partially_returned" | "returned";
            /** @description A debit for each account, by account number. */
            debits: components["schemas"]["Debit"][];
        };
        /**
         * Disclosure
         * @description That somebody read records about people. Entries are added and never changed.
         */
        Disclosure: {
            /**
             * Format: uuid
             * @description Id of the entry. Later entries have greater ones.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was read. RFC 3339, UTC, milliseconds.
             */
            occurredAt: string;
            /** @description Who did it. */
            actor: components["schemas"]["Actor"];
            /**
             * @description Where it was read.
             * @enum {string}
             */
            surface: "client_api" | "resource_api" | "console" | "mcp" | "export" | "download" | "command_line";
            /** @description The operation, method or command that read it. */
            operation: string;
            /** @description The kind of record. */
            recordType: string;
            /**
             * @description What the record says of a person.
             * @enum {string}
             */
            fieldGroup: "identity" | "contact" | "admissions" | "academic" | "attendance" | "financial" | "health" | "documents" | "history" | "everything";
            /** @description The records that were read, and the people whom they are about. */
            recordIds: string[];
            /** @description How many records were read. */
            count: number;
            /** @description How the list was asked for; null for a single record. */
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description Id of the request, as in its Request-Id; null outside of requests, and where an entry stands for several.
             */
            requestId: string | null;
            /** @description The network address that it was asked from; null outside of requests. */
            address: string | null;
        };
        /**
         * Document
         * @description A document of the vault with its files.
         */
        Document: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /**
             * Format: uuid
             * @description Id of the document’s type.
             */
            documentTypeId: string;
            /** @description The type of a document. */
            documentType: components["schemas"]["DocumentTypeRef"];
            /** @description Title. */
            title: string;
            /** @description Description; empty when there is none. */
            description: string;
            /**
             * @description Where the document stands.
             * @enum {string}
             */
            status: "pending_upload" | "uploaded" | "in_review" | "approved" | "rejected" | "expired" | "archived";
            /** @description A file of a document. It is never overwritten: another file is another version. */
            currentVersion: components["schemas"]["DocumentVersion"] | null;
            /** @description Every version, oldest first. */
            versions: components["schemas"]["DocumentVersion"][];
            /** @description The records that it belongs to, oldest first. */
            links: components["schemas"]["DocumentLink"][];
            /**
             * Format: date-time
             * @description When it was issued.
             */
            issuedAt: string | null;
            /**
             * Format: date-time
             * @description When it ceases to be valid.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was approved or rejected.
             */
            reviewedAt: string | null;
            /** @description Who approved or rejected it. */
            reviewedBy: string | null;
            /** @description Why it was rejected. */
            rejectionReason: string | null;
            /**
             * @description Where it came from.
             * @enum {string}
             */
            source: "api" | "staff" | "public_request" | "form" | "import";
            /**
             * Format: uuid
             * @description Id of the document request that it answers.
             */
            requestId: string | null;
            /** @description Fields of the integrator’s choosing. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * DocumentDownload
         * @description An address that hands out a file.
         */
        DocumentDownload: {
            /** @description The address. It needs no token. */
            url: string;
            /**
             * Format: date-time
             * @description When the address ceases to work: after 5 minutes.
             */
            expiresAt: string;
            /** @description Name of the file. */
            fileName: string;
            /** @description Media type of the file. */
            mimeType: string;
            /** @description Size in bytes. */
            sizeBytes: number;
            /**
             * @description Whether a browser shows the file or saves it.
             * @enum {string}
             */
            disposition: "inline" | "attachment";
            /**
             * Format: uuid
             * @description The version that is handed out.
             */
            versionId: string;
        };
        /**
         * DocumentLink
         * @description A record that a document belongs to.
         */
        DocumentLink: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * @description What kind of record the document belongs to.
             * @enum {string}
             */
            entityType: "student" | "application";
            /**
             * Format: uuid
             * @description Id of the student or the application.
             */
            entityId: string;
            /** @description Full name of the student or the applicant. */
            entityLabel: string;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
        };
        /**
         * DocumentRequest
         * @description Documents that somebody is asked for, who hands them in on a public page.
         */
        DocumentRequest: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /**
             * @description What kind of record the document belongs to.
             * @enum {string}
             */
            entityType: "student" | "application";
            /**
             * Format: uuid
             * @description Id of the student or the application.
             */
            entityId: string;
            /** @description Full name of the student or the applicant. */
            entityLabel: string;
            /** @description Title, as the public page shows it. */
            title: string;
            /** @description What is said to the recipient; empty when nothing. */
            message: string;
            /** @description Who is asked. */
            recipient: components["schemas"]["RequestRecipient"];
            /**
             * @description Where the request stands: `partially_completed` once a document is there, `completed` when every required one is accepted.
             * @enum {string}
             */
            status: "open" | "partially_completed" | "completed" | "expired" | "revoked";
            /** @description What is asked for, in order. */
            items: components["schemas"]["DocumentRequestItem"][];
            /** @description URL of the public page. Returned only in the response to the creation and its idempotent replay; null afterwards. */
            publicUrl: string | null;
            /**
             * Format: date-time
             * @description When the page ceases to take files.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            revokedAt: string | null;
            /** @description Why it was revoked. */
            revokedReason: string | null;
            /**
             * Format: date-time
             * @description When every required document was accepted.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When the page was first opened.
             */
            firstViewedAt: string | null;
            /**
             * Format: date-time
             * @description When the page was last opened, to the minute.
             */
            lastViewedAt: string | null;
            /**
             * Format: date-time
             * @description When the recipient said that everything is there.
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * DocumentRequestItem
         * @description One of the documents that are asked for.
         */
        DocumentRequestItem: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the type of the document.
             */
            documentTypeId: string;
            /** @description What is asked for. */
            label: string;
            /** @description What to mind; empty when there is nothing. */
            instructions: string;
            /** @description Whether the request is incomplete without it. */
            isRequired: boolean;
            /**
             * @description Where its document stands.
             * @enum {string}
             */
            status: "pending" | "uploaded" | "accepted" | "rejected";
            /** @description Why its document was rejected. */
            rejectionReason: string | null;
            /**
             * Format: uuid
             * @description Id of the document that answers it.
             */
            documentId: string | null;
        };
        /**
         * DocumentRequestItemInput
         * @description A document to ask for: of a type, or for a requirement.
         */
        DocumentRequestItemInput: {
            /**
             * Format: uuid
             * @description Id of an active document type.
             */
            documentTypeId?: string;
            /**
             * Format: uuid
             * @description Id of a requirement, which also gives label and instructions where they are absent.
             */
            requirementId?: string;
            /** @description What is asked for; the name of the document type when absent. */
            label?: string;
            /** @description What to mind. */
            instructions?: string;
            /** @description Whether the request is incomplete without it; true when absent. */
            isRequired?: boolean;
        };
        /**
         * DocumentType
         * @description A kind of document that the institution keeps.
         */
        DocumentType: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Key of the type, unique in the tenant. */
            key: string;
            /** @description Name shown to people. */
            name: string;
            /** @description Description; empty when there is none. */
            description: string;
            /** @description Category for people. */
            category: string;
            /** @description What kinds of records have such documents. */
            appliesTo: ("student" | "application")[];
            /** @description The media types that a file may have. */
            allowedMimeTypes: string[];
            /** @description The most bytes that a file may have. */
            maxSizeBytes: number;
            /** @description Whether somebody reviews it; otherwise it is approved once its file is there. */
            requiresReview: boolean;
            /** @description Days from its issue until it expires; null when it does not. */
            validityDays: number | null;
            /** @description Whether its content needs particular care. */
            isSensitive: boolean;
            /** @description Whether new documents may have this type. */
            isActive: boolean;
            /** @description Place in the list. */
            position: number;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * DocumentTypeRef
         * @description The type of a document.
         */
        DocumentTypeRef: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Key of the type. */
            key: string;
            /** @description Name of the type. */
            name: string;
        };
        /**
         * DocumentVersion
         * @description A file of a document. It is never overwritten: another file is another version.
         */
        DocumentVersion: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Number of the version in its document, from 1. */
            versionNumber: number;
            /**
             * @description Where the file stands: only a `ready` one can be read.
             * @enum {string}
             */
            status: "pending" | "ready" | "failed" | "quarantined";
            /** @description Name of the file. */
            fileName: string;
            /** @description Media type of the file. */
            mimeType: string;
            /** @description Size in bytes. */
            sizeBytes: number;
            /** @description SHA-256 of the file; before its upload the announced one, if any. */
            checksumSha256: string | null;
            /**
             * Format: date-time
             * @description When the upload was completed.
             */
            uploadedAt: string | null;
            /** @description Why the file was rejected. */
            failureReason: string | null;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
        };
        /**
         * DunningHold
         * @description Whether an obligation is reminded of.
         */
        DunningHold: {
            /**
             * Format: uuid
             * @description The obligation: id of the payment.
             */
            paymentId: string;
            /** @description Why reminders stop; null where they go on. */
            hold: ("disputed" | "agreed") | null;
            /** @description What was said. */
            note: string | null;
            /** @description The level that was sent last. */
            level: number | null;
            /**
             * Format: date
             * @description When it was sent.
             */
            sentOn: string | null;
        };
        /**
         * DunningHoldBody
         * @description Why reminders stop.
         */
        DunningHoldBody: {
            /** @description The payer disputes it, or agreed to pay it otherwise; `null` lets reminders go on. */
            hold: ("disputed" | "agreed") | null;
            /** @description What was said. */
            note?: string | null;
        };
        /**
         * DunningItem
         * @description An obligation that is overdue.
         */
        DunningItem: {
            /**
             * Format: uuid
             * @description The obligation: id of the payment.
             */
            paymentId: string;
            /** @description What is open of it. */
            amount: number;
            /** @description Days since it was due. */
            daysOverdue: number;
            /** @description The level that it comes to. */
            level: number;
        };
        /**
         * DunningNotice
         * @description A reminder to an account.
         */
        DunningNotice: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: uuid
             * @description The account that owes.
             */
            accountId: string;
            /** @description The highest level of its items. */
            level: number;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /** @description What is overdue, oldest first. */
            items: components["schemas"]["DunningItem"][];
            /** @description What is overdue together. */
            amount: number;
            /** @description What the notice costs. */
            fee: number;
            /**
             * Format: uuid
             * @description The payment of what it costs, once it is sent.
             */
            feePaymentId: string | null;
            /**
             * @description Whether it waits, was sent, or is no longer needed.
             * @enum {string}
             */
            status: "proposed" | "sent" | "dropped";
            /** @description How it was sent: by mail, or to be printed. */
            channel: ("mail" | "print") | null;
            /** @description Whom it was sent to. */
            recipient: string | null;
            /** @description Its subject, as it was sent. */
            subject: string | null;
            /** @description Its text, as it was sent. */
            text: string | null;
            /**
             * Format: date-time
             * @description When it was sent.
             */
            sentAt: string | null;
            /** @description Who did it. */
            sentBy: components["schemas"]["BillingActor"] | null;
        };
        /**
         * DunningRun
         * @description The reminders that were proposed on a day.
         */
        DunningRun: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: date
             * @description The day, in the institution’s time zone.
             */
            asOf: string;
            /** @description A notice for each account with something overdue, by its number. */
            notices: components["schemas"]["DunningNotice"][];
            /** @description Who did it. */
            createdBy: components["schemas"]["BillingActor"];
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * DunningRunBody
         * @description Whom reminders are proposed for.
         */
        DunningRunBody: {
            /** @description The accounts that are looked at; all when absent. */
            accountIds?: string[];
        };
        /**
         * Event
         * @description Something that happened to a record. It says what changed and not what it is now: that is read by the record’s own operation.
         */
        Event: {
            /** @description Position in the feed: digits, to be stored unchanged and sent as `after`. */
            position: string;
            /**
             * Format: uuid
             * @description Id of the event, the same in the feed and in webhooks.
             */
            id: string;
            /** @description What happened, `noun.past_verb`. Types may be added: pass over those that you do not know. */
            type: string;
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, UTC, milliseconds.
             */
            occurredAt: string;
            /** @description The kind of record. */
            entityType: string;
            /**
             * Format: uuid
             * @description Id of the record.
             */
            entityId: string;
            /** @description The key of the record in the integrator’s own system. */
            externalId: string | null;
            /** @description The fields that differ from before; of a new record all of them. */
            changed: string[];
            /** @description Who did it. */
            actor: components["schemas"]["Actor"];
            /**
             * Format: uuid
             * @description Id of the request that did it, as in its Request-Id; null outside of requests.
             */
            requestId: string | null;
        };
        /**
         * Fault
         * @description One fault of a request.
         */
        Fault: {
            /** @description The part of the request. */
            in: components["schemas"]["FaultLocation"];
            /** @description In a body: the place, a JSON Pointer (RFC 6901) in a URI fragment. */
            pointer?: string;
            /** @description Elsewhere: the name of the parameter or header. */
            name?: string;
            /**
             * @description What is wrong there.
             * @enum {string}
             */
            code: "required" | "wrong_type" | "unknown_field" | "too_small" | "too_large" | "too_short" | "too_long" | "pattern" | "format" | "not_in_enum" | "not_allowed_null" | "invalid_text" | "read_only" | "inconsistent";
            /** @description The error as text. */
            detail: string;
        };
        /**
         * FaultLocation
         * @description The part of the request.
         * @enum {string}
         */
        FaultLocation: "body" | "query" | "path" | "header";
        /**
         * FormAnswer
         * @description An answer with its question as it was put.
         */
        FormAnswer: {
            /** @description Key of the question. */
            fieldKey: string;
            /** @description The question. */
            label: string;
            /**
             * @description What kind of answer it takes.
             * @enum {string}
             */
            type: "text" | "textarea" | "number" | "date" | "email" | "phone" | "select" | "multiselect" | "checkbox" | "file" | "signature";
            /** @description A text; a number; a date, `YYYY-MM-DD`; true or false for a checkbox; a list of chosen values for a multiselect; a list of document ids for a file. Null when an optional question was not answered. */
            value: unknown;
        };
        /**
         * FormField
         * @description A question of a form.
         */
        FormField: {
            /**
             * Format: uuid
             * @description Id, the same in every version of the template.
             */
            id: string;
            /** @description Small letters, digits, _ and -. */
            key: string;
            /** @description The question. */
            label: string;
            /**
             * @description What kind of answer it takes.
             * @enum {string}
             */
            type: "text" | "textarea" | "number" | "date" | "email" | "phone" | "select" | "multiselect" | "checkbox" | "file" | "signature";
            /** @description Whether it must be answered when it is put. */
            isRequired: boolean;
            /** @description The choices of a select or a multiselect, else none. */
            options: components["schemas"]["FormOption"][];
            /** @description Help for who answers; empty when there is none. */
            helpText: string;
            /** @description What an answer must be; a bound that is absent does not hold. */
            validation: components["schemas"]["FormValidation"];
            /** @description When the question is put: a comparison with the answer of an earlier question, or `all` or `any` of several. `{ "all": [] }` is always. */
            visibleWhen: {
                /** @description Key of an earlier question. */
                field?: string;
                /** @description A value to compare with. */
                equals?: string | number | boolean;
                /** @description A value to compare with. */
                notEquals?: string | number | boolean;
                /** @description Values, one of which fits. */
                in?: (string | number | boolean)[];
                /** @description Whether the question is answered. */
                isSet?: boolean;
                /** @description Conditions that must all hold; none at all always hold. */
                all?: {
                    /** @description Key of an earlier question. */
                    field?: string;
                    /** @description A value to compare with. */
                    equals?: string | number | boolean;
                    /** @description A value to compare with. */
                    notEquals?: string | number | boolean;
                    /** @description Values, one of which fits. */
                    in?: (string | number | boolean)[];
                    /** @description Whether the question is answered. */
                    isSet?: boolean;
                    /** @description Conditions that must all hold; none at all always hold. */
                    all?: {
                        /** @description Key of an earlier question. */
                        field?: string;
                        /** @description A value to compare with. */
                        equals?: string | number | boolean;
                        /** @description A value to compare with. */
                        notEquals?: string | number | boolean;
                        /** @description Values, one of which fits. */
                        in?: (string | number | boolean)[];
                        /** @description Whether the question is answered. */
                        isSet?: boolean;
                        /** @description Conditions that must all hold; none at all always hold. */
                        all?: {
                            /** @description Key of an earlier question. */
                            field?: string;
                            /** @description A value to compare with. */
                            equals?: string | number | boolean;
                            /** @description A value to compare with. */
                            notEquals?: string | number | boolean;
                            /** @description Values, one of which fits. */
                            in?: (string | number | boolean)[];
                            /** @description Whether the question is answered. */
                            isSet?: boolean;
                        }[];
                        /** @description Conditions of which one must hold. */
                        any?: {
                            /** @description Key of an earlier question. */
                            field?: string;
                            /** @description A value to compare with. */
                            equals?: string | number | boolean;
                            /** @description A value to compare with. */
                            notEquals?: string | number | boolean;
                            /** @description Values, one of which fits. */
                            in?: (string | number | boolean)[];
                            /** @description Whether the question is answered. */
                            isSet?: boolean;
                        }[];
                    }[];
                    /** @description Conditions of which one must hold. */
                    any?: {
                        /** @description Key of an earlier question. */
                        field?: string;
                        /** @description A value to compare with. */
                        equals?: string | number | boolean;
                        /** @description A value to compare with. */
                        notEquals?: string | number | boolean;
                        /** @description Values, one of which fits. */
                        in?: (string | number | boolean)[];
                        /** @description Whether the question is answered. */
                        isSet?: boolean;
                        /** @description Conditions that must all hold; none at all always hold. */
                        all?: {
                            /** @description Key of an earlier question. */
                            field?: string;
                            /** @description A value to compare with. */
                            equals?: string | number | boolean;
                            /** @description A value to compare with. */
                            notEquals?: string | number | boolean;
                            /** @description Values, one of which fits. */
                            in?: (string | number | boolean)[];
                            /** @description Whether the question is answered. */
                            isSet?: boolean;
                        }[];
                        /** @description Conditions of which one must hold. */
                        any?: {
                            /** @description Key of an earlier question. */
                            field?: string;
                            /** @description A value to compare with. */
                            equals?: string | number | boolean;
                            /** @description A value to compare with. */
                            notEquals?: string | number | boolean;
                            /** @description Values, one of which fits. */
                            in?: (string | number | boolean)[];
                            /** @description Whether the question is answered. */
                            isSet?: boolean;
                        }[];
                    }[];
                }[];
                /** @description Conditions of which one must hold. */
                any?: {
                    /** @description Key of an earlier question. */
                    field?: string;
                    /** @description A value to compare with. */
                    equals?: string | number | boolean;
                    /** @description A value to compare with. */
                    notEquals?: string | number | boolean;
                    /** @description Values, one of which fits. */
                    in?: (string | number | boolean)[];
                    /** @description Whether the question is answered. */
                    isSet?: boolean;
                    /** @description Conditions that must all hold; none at all always hold. */
                    all?: {
                        /** @description Key of an earlier question. */
                        field?: string;
                        /** @description A value to compare with. */
                        equals?: string | number | boolean;
                        /** @description A value to compare with. */
                        notEquals?: string | number | boolean;
                        /** @description Values, one of which fits. */
                        in?: (string | number | boolean)[];
                        /** @description Whether the question is answered. */
                        isSet?: boolean;
                        /** @description Conditions that must all hold; none at all always hold. */
                        all?: {
                            /** @description Key of an earlier question. */
                            field?: string;
                            /** @description A value to compare with. */
                            equals?: string | number | boolean;
                            /** @description A value to compare with. */
                            notEquals?: string | number | boolean;
                            /** @description Values, one of which fits. */
                            in?: (string | number | boolean)[];
                            /** @description Whether the question is answered. */
                            isSet?: boolean;
                        }[];
                        /** @description Conditions of which one must hold. */
                        any?: {
                            /** @description Key of an earlier question. */
                            field?: string;
                            /** @description A value to compare with. */
                            equals?: string | number | boolean;
                            /** @description A value to compare with. */
                            notEquals?: string | number | boolean;
                            /** @description Values, one of which fits. */
                            in?: (string | number | boolean)[];
                            /** @description Whether the question is answered. */
                            isSet?: boolean;
                        }[];
                    }[];
                    /** @description Conditions of which one must hold. */
                    any?: {
                        /** @description Key of an earlier question. */
                        field?: string;
                        /** @description A value to compare with. */
                        equals?: string | number | boolean;
                        /** @description A value to compare with. */
                        notEquals?: string | number | boolean;
                        /** @description Values, one of which fits. */
                        in?: (string | number | boolean)[];
                        /** @description Whether the question is answered. */
                        isSet?: boolean;
                        /** @description Conditions that must all hold; none at all always hold. */
                        all?: {
                            /** @description Key of an earlier question. */
                            field?: string;
                            /** @description A value to compare with. */
                            equals?: string | number | boolean;
                            /** @description A value to compare with. */
                            notEquals?: string | number | boolean;
                            /** @description Values, one of which fits. */
                            in?: (string | number | boolean)[];
                            /** @description Whether the question is answered. */
                            isSet?: boolean;
                        }[];
                        /** @description Conditions of which one must hold. */
                        any?: {
                            /** @description Key of an earlier question. */
                            field?: string;
                            /** @description A value to compare with. */
                            equals?: string | number | boolean;
                            /** @description A value to compare with. */
                            notEquals?: string | number | boolean;
                            /** @description Values, one of which fits. */
                            in?: (string | number | boolean)[];
                            /** @description Whether the question is answered. */
                            isSet?: boolean;
                        }[];
                    }[];
                }[];
            };
            /** @description Key of the section it stands in; empty when the form has none. */
            section: string;
            /** @description Place in the form. */
            position: number;
        };
        /**
         * FormOption
         * @description A choice.
         */
        FormOption: {
            /** @description What is kept when it is chosen. */
            value: string;
            /** @description What people read. */
            label: string;
        };
        /**
         * FormSection
         * @description A part of a form.
         */
        FormSection: {
            /** @description Small letters, digits, _ and -. */
            key: string;
            /** @description Its heading. */
            title: string;
            /** @description Place in the form. */
            position: number;
        };
        /**
         * FormSubmission
         * @description What somebody has submitted with a form.
         */
        FormSubmission: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the template.
             */
            templateId: string;
            /** @description Name of the template. */
            templateName: string;
            /** @description Number of the version that was answered. */
            templateVersion: number;
            /**
             * @description What kind of record it belongs to; `none` when it belongs to none.
             * @enum {string}
             */
            entityType: "student" | "application" | "none";
            /**
             * Format: uuid
             * @description Id of the student or the application; null when it belongs to none.
             */
            entityId: string | null;
            /** @description Full name of the student or the applicant; empty when it belongs to none. */
            entityLabel: string;
            /**
             * @description Where the submission stands.
             * @enum {string}
             */
            status: "submitted" | "processed" | "withdrawn";
            /** @description The questions that were put, in order. Those that were hidden are not among them. */
            answers: components["schemas"]["FormAnswer"][];
            /** @description The same answers, by the keys of their questions. */
            values: {
                [key: string]: unknown;
            };
            /** @description The documents that came with the form. */
            files: components["schemas"]["FormSubmissionFile"][];
            /** @description Who submitted it, as far as they said. */
            submittedBy: components["schemas"]["FormSubmitter"];
            /**
             * @description Where it came from.
             * @enum {string}
             */
            source: "public_form" | "staff" | "import";
            /**
             * Format: date-time
             * @description When it was submitted.
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * FormSubmissionFile
         * @description A document that came with the form.
         */
        FormSubmissionFile: {
            /**
             * Format: uuid
             * @description Id of the document in the vault.
             */
            documentId: string;
            /** @description Key of the question that it answers. */
            fieldKey: string;
        };
        /**
         * FormSubmitter
         * @description Who submitted it, as far as they said.
         */
        FormSubmitter: {
            /** @description Name; empty when unknown. */
            name: string;
            /** @description E-mail address. */
            email: string | null;
        };
        /**
         * FormTemplate
         * @description A form that the institution puts to people.
         */
        FormTemplate: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Key of the template, unique in the tenant. */
            key: string;
            /** @description Name shown to people. */
            name: string;
            /** @description Description; empty when there is none. */
            description: string;
            /** @description What it is for, in the words of the institution; empty when nothing is said. */
            category: string;
            /**
             * @description Whether it is being made, in use, or no longer in use.
             * @enum {string}
             */
            status: "draft" | "published" | "archived";
            /** @description Number of the current version: a published one whose questions change is followed by another. */
            version: number;
            /**
             * @description What kind of record a submission belongs to; `none` for no record.
             * @enum {string}
             */
            entityType: "student" | "application" | "none";
            /** @description Its parts, in order. */
            sections: components["schemas"]["FormSection"][];
            /** @description Its questions, in order. */
            fields: components["schemas"]["FormField"][];
            /** @description Whether it has a page of its own, once published. */
            isPublic: boolean;
            /** @description Address of its page; null unless it is published and public. */
            publicUrl: string | null;
            /** @description How many submissions there are, of all versions, exactly. */
            submissionCount: number;
            /**
             * Format: date-time
             * @description When the current version was published; null while it never was.
             */
            publishedAt: string | null;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * FormValidation
         * @description What an answer must be; a bound that is absent does not hold.
         */
        FormValidation: {
            /** @description Fewest characters of a text. */
            minLength?: number;
            /** @description Most characters of a text. */
            maxLength?: number;
            /** @description Least number. */
            min?: number;
            /** @description Largest number. */
            max?: number;
            /** @description A regular expression (ECMA-262) that the whole text matches. */
            pattern?: string;
            /**
             * Format: date
             * @description First day that is taken.
             */
            minDate?: string;
            /**
             * Format: date
             * @description Last day that is taken.
             */
            maxDate?: string;
            /** @description Fewest choices or files. */
            minItems?: number;
            /** @description Most choices or files; one file when absent. */
            maxItems?: number;
            /** @description Media types of files, beside what their document type takes. */
            mediaTypes?: string[];
            /** @description Largest file. */
            maxSizeBytes?: number;
            /** @description Key of the document type that files get; other when absent. */
            documentTypeKey?: string;
        };
        /**
         * Journal
         * @description The ledger between two days, both included.
         */
        Journal: {
            /** @description Its lines, by day and document. */
            entries: components["schemas"]["JournalEntry"][];
        };
        /**
         * JournalEntry
         * @description A line of the ledger.
         */
        JournalEntry: {
            /**
             * Format: date
             * @description The day on which it was posted.
             */
            date: string;
            /** @description Number of the document. */
            document: string;
            /** @description Account of the chart. */
            account: string;
            /** @description Number of the billing account, or the student. */
            party: string | null;
            /** @description Debit. */
            debit: number;
            /** @description Credit. */
            credit: number;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /** @description What it is for. */
            text: string;
        };
        /**
         * LinkContactBody
         * @description Names a person by `contactId`, or by e-mail, then phone, where nothing known contradicts it: somebody of another name, or with the same phone and another e-mail, is another person. One that is not found is created. Without any of them the applicant is linked.
         */
        LinkContactBody: {
            /**
             * Format: uuid
             * @description Id of a person that the tenant already has.
             */
            contactId?: string | null;
            /** @description Name of the person. */
            displayName?: string | null;
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description What the person is to the applicant or student. */
            role?: ("applicant" | "primary_contact" | "family" | "emergency" | "billing" | "other") | null;
            /** @description The relation in words, such as Mother. */
            relationshipLabel?: string | null;
            /** @description Whether this is the one to turn to first; it takes that place from another. */
            isPrimary?: boolean | null;
            /** @description Where the link came from. */
            source?: ("manual" | "import" | "api" | "whatsapp" | "form" | "system") | null;
            /** @description Free values. At most 200 keys, and 65536 bytes of JSON, also once it is merged. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * LinkDocumentBody
         * @description The record that the document belongs to as well.
         */
        LinkDocumentBody: {
            /**
             * @description What kind of record the document belongs to.
             * @enum {string}
             */
            entityType: "student" | "application";
            /**
             * Format: uuid
             * @description Id of the student or the application.
             */
            entityId: string;
        };
        /**
         * Mandate
         * @description A mandate for direct debits.
         */
        Mandate: {
            /** @description Reference of the mandate. */
            id: string;
            /** @description The last four characters of the account number. */
            iban: string;
            /**
             * Format: date
             * @description The day on which it was signed.
             */
            signedAt: string;
            /**
             * @description Whether the next collection is the first one.
             * @enum {string}
             */
            sequence: "FRST" | "RCUR";
        };
        /**
         * MandateInput
         * @description A mandate for direct debits.
         */
        MandateInput: {
            /** @description Reference of the mandate. */
            id: string;
            /** @description The account number (IBAN), with its check digits; the last four characters leave it as it is. */
            iban: string;
            /**
             * Format: date
             * @description The day on which it was signed.
             */
            signedAt: string;
            /**
             * @description Whether the next collection is the first one; `FRST` by default.
             * @enum {string}
             */
            sequence?: "FRST" | "RCUR";
        };
        /**
         * MatchBankStatementLineBody
         * @description Who paid, and what.
         */
        MatchBankStatementLineBody: {
            /**
             * Format: uuid
             * @description The account that paid. Either this or `parts`.
             */
            accountId?: string;
            /** @description What it pays, each obligation once; an empty list pays nothing yet. */
            allocations?: components["schemas"]["AllocationInput"][];
            /**
             * @description Pays what is open by due date, then creation: the default. Not together with `allocations`.
             * @enum {string}
             */
            allocate?: "oldest";
            /** @description The parts of a batch, at most what came in. */
            parts?: components["schemas"]["MatchBankStatementLinePart"][];
        };
        /**
         * MatchBankStatementLinePart
         * @description A part of a batch.
         */
        MatchBankStatementLinePart: {
            /**
             * Format: uuid
             * @description The account that paid.
             */
            accountId: string;
            /** @description By default the sum of its allocations, or the amount of the detail at the same place. */
            amount?: number;
            /** @description What it pays, each obligation once; an empty list pays nothing yet. */
            allocations?: components["schemas"]["AllocationInput"][];
            /**
             * @description Pays what is open by due date, then creation: the default. Not together with `allocations`.
             * @enum {string}
             */
            allocate?: "oldest";
        };
        /**
         * Obligation
         * @description What an account owes for one payment: the payment itself is read by its own operation.
         */
        Obligation: {
            /**
             * Format: uuid
             * @description Id of the payment.
             */
            paymentId: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /**
             * Format: uuid
             * @description Id of the student.
             */
            studentId: string;
            /** @description Full name of the student. */
            studentName: string;
            /** @description What it is for. */
            description: string;
            /** @description Name of the fee that it is of. */
            fee: string | null;
            /**
             * Format: date-time
             * @description When it is due.
             */
            dueDate: string;
            /** @description What was charged. */
            amount: number;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /**
             * @description Where the payment stands.
             * @enum {string}
             */
            status: "pending" | "paid" | "overdue" | "cancelled" | "refunded";
            /** @description What receipts have paid. */
            paidAmount: number;
            /** @description What is still to be paid. */
            openAmount: number;
            /** @description What was written off or credited. */
            adjustedAmount: number;
            /** @description Reference to be named in a transfer (ISO 11649), unique. */
            paymentReference: string;
        };
        /**
         * Pagination
         * @description Where a page stands in its list.
         */
        Pagination: {
            /** @description Number of this page; of a cursor walk, the pages walked. */
            page: number;
            /** @description Records per page. */
            limit: number;
            /** @description Records that match, exactly, in the snapshot that the page was read from; of a cursor walk, that of its first page. */
            total: number;
            /** @description Pages; 0 when nothing matches. */
            totalPages: number;
        };
        /**
         * Payment
         * @description A payment or an obligation of a student.
         */
        Payment: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /**
             * Format: uuid
             * @description Id of the student who pays.
             */
            studentId: string;
            /** @description Full name of the student. */
            studentName: string;
            /** @description Code of the student. */
            studentCode: string;
            /** @description Amount, as it was sent. */
            amount: number;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /**
             * @description Where the payment stands.
             * @enum {string}
             */
            status: "pending" | "paid" | "overdue" | "cancelled" | "refunded";
            /** @description What it is for. */
            description: string;
            /** @description Identifier of the payment in an external card processor. */
            processorPaymentIntentId: string | null;
            /**
             * Format: date-time
             * @description When it is due; the moment of creation when the body said null.
             */
            dueDate: string;
            /**
             * Format: date-time
             * @description When it was paid.
             */
            paidAt: string | null;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
            /** @description The fields that the institution has defined, each with its value or null, see `GET /me`; absent where it has defined none. */
            customFields?: {
                [key: string]: unknown;
            };
        };
        /**
         * Payout
         * @description Credit of an account that was paid out.
         */
        Payout: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Number of the payout. */
            payoutNumber: string;
            /**
             * Format: uuid
             * @description The account whose credit it was.
             */
            accountId: string;
            /**
             * Format: date
             * @description The day on which the money went out; not in the future.
             */
            paidOn: string;
            /**
             * @description How it was paid.
             * @enum {string}
             */
            method: "cash" | "transfer" | "card" | "cheque" | "other";
            /** @description Reference of the transfer or the cheque. */
            reference: string | null;
            /** @description Why. */
            reason: string | null;
            /** @description What went out. */
            amount: number;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /**
             * @description Whether it counts or was reversed.
             * @enum {string}
             */
            status: "posted" | "reversed";
            /** @description Who did it. */
            reversedBy: components["schemas"]["BillingActor"] | null;
            /** @description Who did it. */
            createdBy: components["schemas"]["BillingActor"];
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * PipelineStatus
         * @description A status of the tenant’s admission pipeline.
         */
        PipelineStatus: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The value of `status` of an application. */
            key: string;
            /** @description Name shown to people. */
            label: string;
            /** @description Description; empty when there is none. */
            description: string;
            /**
             * @description What the status means, whatever it is called.
             * @enum {string}
             */
            category: "open" | "accepted" | "rejected" | "withdrawn" | "enrolled";
            /** @description Place in the pipeline. */
            position: number;
            /** @description Colour for people, `#rrggbb`. */
            color: string;
            /** @description Whether new applications start here. */
            isInitial: boolean;
            /** @description Whether applications end here. */
            isTerminal: boolean;
            /** @description Whether applications can be moved here. */
            isActive: boolean;
            /** @description The statuses that an application may move to from here; null permits any. */
            allowedNext: string[] | null;
            /** @description Whether every required document must be there first. */
            requiresComplete: boolean;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * Problem
         * @description A refusal (RFC 9457). Which other members it has depends on `code`.
         */
        Problem: {
            /**
             * Format: uri
             * @description Address of a page on this code.
             */
            type: string;
            /** @description The code as text, the same every time. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What to decide by. Codes may be added: treat one that you do not know by its status. */
            code: string;
            /** @description What was wrong with this very request, for people. */
            detail: string;
            /**
             * Format: uri
             * @description This very occurrence.
             */
            instance: string;
            /** @description Id of the request, as in the Request-Id header. */
            requestId: string;
            /** @description Every fault that was found, at most 50; of a bank statement by line and column. */
            errors?: (components["schemas"]["Fault"] | components["schemas"]["StatementFault"])[];
            /** @description The scope that is needed. */
            requiredScope?: string;
            /** @description The scopes of the token. */
            grantedScopes?: string[];
            /** @description The roles of which one is needed. */
            requiredRoles?: string[];
            /** @description All modules that are needed and not enabled. */
            missingModules?: string[];
            /** @description The domain of the operation. */
            domain?: string;
            /** @description The domains that the token may write. */
            masterDomains?: string[];
            /** @description The tenant’s setting for the domain. */
            systemOfRecord?: string;
            /**
             * Format: uuid
             * @description Id of the record that has the value.
             */
            existingId?: string;
            /** @description The state that the record is in. */
            currentState?: string;
            /** @description What would be accepted. */
            allowed?: string[];
            /** @description The requirements that are not satisfied. */
            missing?: {
                /**
                 * Format: uuid
                 * @description Id of the requirement.
                 */
                requirementId: string;
                /** @description What is asked for. */
                label: string;
            }[];
            /** @description The position after which all events are still there. */
            earliest?: string;
            /** @description How many there may be. */
            limit?: number;
            /** @description The most bytes that are taken. */
            maxBytes?: number;
            /** @description The operation that used the key. */
            originalOperation?: string;
            /** @description What would have become of each item of a batch, in the order sent. */
            data?: {
                [key: string]: unknown;
            }[];
            /** @description The rule that the request breaks. */
            rule?: string;
            /** @description What the file had to be, such as its `sizeBytes`, `checksumSha256` or `mimeType`. */
            expected?: {
                [key: string]: unknown;
            };
            /** @description What the file is, in the members of `expected`; `mimeType` is null where it is unknown. */
            found?: {
                [key: string]: unknown;
            };
        };
        /**
         * Program
         * @description An academic program.
         */
        Program: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /** @description Short code. */
            code: string;
            /** @description Name, unique in the tenant. */
            name: string;
            /** @description Description; empty when there is none. */
            description: string;
            /** @description Level of education; empty when unknown. */
            educationLevel: string;
            /** @description Kind of institution that offers it; empty when unknown. */
            organizationProfile: string;
            /** @description Department that offers it, by name. */
            department: string | null;
            /**
             * @description Whether it is offered.
             * @enum {string}
             */
            status: "active" | "inactive" | "archived";
            /** @description How it is taught, such as on_site or online. */
            modality: string | null;
            /**
             * Format: date
             * @description First day, `YYYY-MM-DD`.
             */
            startDate: string | null;
            /**
             * Format: date
             * @description Last day, `YYYY-MM-DD`.
             */
            endDate: string | null;
            /** @description Courses of the program. */
            courseCount: number;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
            /** @description The fields that the institution has defined, each with its value or null, see `GET /me`; absent where it has defined none. */
            customFields?: {
                [key: string]: unknown;
            };
        };
        /**
         * ProgramRef
         * @description The program that the record belongs to.
         */
        ProgramRef: {
            /**
             * Format: uuid
             * @description Id of the program.
             */
            id: string;
            /** @description Name of the program. */
            name: string;
            /** @description Level of education; empty when unknown. */
            educationLevel: string;
            /** @description Kind of institution that offers it; empty when unknown. */
            organizationProfile: string;
            /**
             * @description Whether it is offered.
             * @enum {string}
             */
            status: "active" | "inactive" | "archived";
        };
        /**
         * Receipt
         * @description Money that came in for an account.
         */
        Receipt: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Number of the receipt. */
            receiptNumber: string;
            /**
             * Format: uuid
             * @description The account that paid.
             */
            accountId: string;
            /**
             * Format: date
             * @description The day on which the money came in; not in the future.
             */
            receivedOn: string;
            /**
             * @description How it was paid.
             * @enum {string}
             */
            method: "cash" | "transfer" | "card" | "cheque" | "direct_debit" | "credit" | "other";
            /** @description Reference of the payer or of the bank. */
            reference: string | null;
            /** @description What came in. */
            amount: number;
            /** @description Currency, three capital letters (ISO 4217). */
            currency: string;
            /** @description What it pays. */
            allocations: components["schemas"]["Allocation"][];
            /** @description What became credit of the account. */
            unallocated: number;
            /**
             * @description Whether it counts or was reversed.
             * @enum {string}
             */
            status: "posted" | "reversed";
            /** @description Who did it. */
            reversedBy: components["schemas"]["BillingActor"] | null;
            /** @description Who did it. */
            createdBy: components["schemas"]["BillingActor"];
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * Redelivery
         * @description How much is sent again.
         */
        Redelivery: {
            /** @description How many deliveries wait now because of this call. */
            queued: number;
        };
        /**
         * RedeliveryBody
         * @description One delivery, or the events between two positions.
         */
        RedeliveryBody: {
            /**
             * Format: uuid
             * @description The delivery that is to be sent again. Not together with positions.
             */
            deliveryId?: string;
            /** @description Only events after this position of the feed. Together with `until`. */
            after?: string;
            /** @description Only events up to this position of the feed, at most 10000 after the other one. Together with `after`. */
            until?: string;
        };
        /**
         * ReplaceSharesBody
         * @description All shares of the student.
         */
        ReplaceSharesBody: {
            /** @description Replaces all shares of the student; without any the student’s own account pays. */
            shares: components["schemas"]["ShareOfStudent"][];
        };
        /**
         * RequestRecipient
         * @description Who is asked.
         */
        RequestRecipient: {
            /**
             * Format: uuid
             * @description Id of a person of the tenant.
             */
            contactId: string | null;
            /** @description Name; empty when it is not known. */
            name: string;
            /** @description E-mail address. */
            email: string | null;
            /** @description Telephone number. */
            phone: string | null;
        };
        /**
         * RequestRecipientInput
         * @description Who is asked. A person of the tenant by `contactId`, anybody else by name, e-mail and telephone number.
         */
        RequestRecipientInput: {
            /**
             * Format: uuid
             * @description Id of a person of the tenant, who fills in what is absent.
             */
            contactId?: string | null;
            /** @description Name. */
            name?: string;
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
        };
        /**
         * RequiredDocumentType
         * @description The type of a document that is asked for.
         */
        RequiredDocumentType: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Key of the type. */
            key: string;
            /** @description Name of the type. */
            name: string;
        };
        /**
         * Requirement
         * @description A document that a profile asks for.
         */
        Requirement: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the type of the document.
             */
            documentTypeId: string;
            /** @description The type of a document that is asked for. */
            documentType: components["schemas"]["RequiredDocumentType"];
            /** @description What is asked for, in the words of the institution. */
            label: string;
            /** @description What to mind; empty when there is nothing. */
            instructions: string;
            /** @description Whether the profile is incomplete without it. */
            isRequired: boolean;
            /** @description How many approved documents satisfy it. */
            minFiles: number;
            /** @description Days from the creation of the record until it is due. */
            dueDays: number | null;
            /** @description Place in the profile. */
            position: number;
        };
        /**
         * RequirementConditions
         * @description Whom it concerns: each list that is not empty must hold the value.
         */
        RequirementConditions: {
            /** @description Ids of programs. */
            programIds: string[];
            /** @description Education levels of the program. */
            educationLevels: string[];
            /** @description Statuses of the record. */
            statuses: string[];
            /** @description Countries of the record. */
            countries: string[];
        };
        /**
         * RequirementDocument
         * @description A document of the record that is of the type.
         */
        RequirementDocument: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * @description Where the document stands.
             * @enum {string}
             */
            status: "pending_upload" | "uploaded" | "in_review" | "approved" | "rejected" | "expired" | "archived";
            /** @description Number of the current version; null before its upload is complete. */
            versionNumber: number | null;
            /**
             * Format: date-time
             * @description When it ceases to be valid.
             */
            expiresAt: string | null;
        };
        /**
         * RequirementItem
         * @description How one requirement stands. Only approved, unexpired documents satisfy it.
         */
        RequirementItem: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            requirementId: string;
            /**
             * Format: uuid
             * @description Id of the profile that asks for it.
             */
            profileId: string;
            /**
             * Format: uuid
             * @description Id of the type of the document.
             */
            documentTypeId: string;
            /** @description What is asked for. */
            label: string;
            /** @description What to mind. */
            instructions: string;
            /** @description Whether the record is incomplete without it. */
            isRequired: boolean;
            /**
             * @description How it stands.
             * @enum {string}
             */
            status: "missing" | "requested" | "uploaded" | "in_review" | "satisfied" | "rejected" | "expired" | "waived";
            /** @description Why the last document was rejected. */
            rejectionReason: string | null;
            /**
             * Format: date-time
             * @description When it is due; without a date of its own, when the open request for it expires.
             */
            dueAt: string | null;
            /** @description The documents of this type, oldest first; archived ones do not count. */
            documents: components["schemas"]["RequirementDocument"][];
            /**
             * Format: uuid
             * @description Id of the open document request that asks for it.
             */
            requestId: string | null;
        };
        /**
         * RequirementProfile
         * @description Which documents the institution requires, and from whom.
         */
        RequirementProfile: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Key of the profile, unique in the tenant. */
            key: string;
            /** @description Name shown to people. */
            name: string;
            /** @description Description; empty when there is none. */
            description: string;
            /**
             * @description What kind of record the document belongs to.
             * @enum {string}
             */
            appliesTo: "student" | "application";
            /** @description Whom it concerns: each list that is not empty must hold the value. */
            conditions: components["schemas"]["RequirementConditions"];
            /** @description What it asks for, in order. */
            requirements: components["schemas"]["Requirement"][];
            /** @description Whether it is in use. */
            isActive: boolean;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * RequirementProfileRef
         * @description A profile that concerns the record.
         */
        RequirementProfileRef: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description Its name. */
            name: string;
        };
        /**
         * RequirementSummary
         * @description How many requirements stand where.
         */
        RequirementSummary: {
            /** @description All of them. */
            total: number;
            /** @description Those without which the record is incomplete. */
            required: number;
            /** @description Those with enough approved documents. */
            satisfied: number;
            /** @description Those that are missing or requested. */
            missing: number;
            /** @description Those that are uploaded or in review. */
            inReview: number;
            /** @description Those whose document was rejected. */
            rejected: number;
            /** @description Those whose document has expired. */
            expired: number;
            /** @description Those that the record is excused from. */
            waived: number;
            /** @description Whether every required one is satisfied or waived. */
            isComplete: boolean;
        };
        /**
         * Requirements
         * @description The documents that the institution asks of a student or an application, and how each of them stands.
         */
        Requirements: {
            /**
             * @description What kind of record the document belongs to.
             * @enum {string}
             */
            entityType: "student" | "application";
            /**
             * Format: uuid
             * @description Id of the student or the application.
             */
            entityId: string;
            /** @description The profiles that concern the record. */
            profiles: components["schemas"]["RequirementProfileRef"][];
            /** @description How many requirements stand where. */
            summary: components["schemas"]["RequirementSummary"];
            /** @description Every requirement, in the order of the profiles. */
            requirements: components["schemas"]["RequirementItem"][];
        };
        /**
         * ReturnDebitsBody
         * @description Debits that the bank gave back.
         */
        ReturnDebitsBody: {
            /** @description All of them are taken, or none. What is returned already stays as it is. */
            returns: components["schemas"]["ReturnInput"][];
        };
        /**
         * ReturnInput
         * @description A debit that the bank gave back.
         */
        ReturnInput: {
            /** @description What the bank names the debit by, in the file and in its returns: unique, at most 35 characters. */
            endToEndId: string;
            /** @description Why, as the bank says: a code of ISO 20022 such as `AM04`. */
            reasonCode: string;
            /**
             * Format: date
             * @description The day on which the bank gave it back.
             */
            returnedOn: string;
        };
        /**
         * ReversePayoutBody
         * @description Why and on which day.
         */
        ReversePayoutBody: {
            /** @description Why, for the books. */
            reason?: string;
            /**
             * Format: date
             * @description The day of the reversal; today by default.
             */
            on?: string;
        };
        /**
         * ReverseReceiptBody
         * @description Why and on which day.
         */
        ReverseReceiptBody: {
            /** @description Why, for the books. */
            reason?: string;
            /**
             * Format: date
             * @description The day of the reversal; today by default.
             */
            on?: string;
        };
        /**
         * RotateSecretBody
         * @description How long the secret until now signs as well.
         */
        RotateSecretBody: {
            /**
             * @description Hours for which deliveries are signed with both secrets; 0 ends the one until now at once.
             * @default 24
             */
            overlapHours?: number;
        };
        /**
         * SendDunningBody
         * @description What is sent.
         */
        SendDunningBody: {
            /** @description The notices that are sent; all that wait when absent. */
            noticeIds?: string[];
        };
        /**
         * Share
         * @description What an account pays of a student’s fees.
         */
        Share: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /**
             * Format: uuid
             * @description The account that pays.
             */
            accountId: string;
            /**
             * Format: uuid
             * @description The student whose fees it pays.
             */
            studentId: string;
            /** @description Fee categories for which the share is; null: all that no other share of the student names. */
            categories: string[] | null;
            /** @description Percent of what is charged. */
            percent: number;
            /**
             * Format: date
             * @description First day, by the day on which a fee is posted; null: always.
             */
            validFrom: string | null;
            /**
             * Format: date
             * @description Last day; null: always.
             */
            validTo: string | null;
        };
        /**
         * ShareOfAccount
         * @description What the account pays of a student’s fees.
         */
        ShareOfAccount: {
            /**
             * Format: uuid
             * @description The student whose fees it pays.
             */
            studentId: string;
            /** @description Fee categories for which the share is; null: all that no other share of the student names. */
            categories?: string[] | null;
            /** @description Percent of what is charged. */
            percent: number;
            /**
             * Format: date
             * @description First day, by the day on which a fee is posted; null: always.
             */
            validFrom?: string | null;
            /**
             * Format: date
             * @description Last day; null: always.
             */
            validTo?: string | null;
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly accountId?: unknown;
        };
        /**
         * ShareOfStudent
         * @description What an account pays of the student’s fees.
         */
        ShareOfStudent: {
            /**
             * Format: uuid
             * @description The account that pays.
             */
            accountId: string;
            /** @description Fee categories for which the share is; null: all that no other share of the student names. */
            categories?: string[] | null;
            /** @description Percent of what is charged. */
            percent: number;
            /**
             * Format: date
             * @description First day, by the day on which a fee is posted; null: always.
             */
            validFrom?: string | null;
            /**
             * Format: date
             * @description Last day; null: always.
             */
            validTo?: string | null;
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentId?: unknown;
        };
        /**
         * SignedUpload
         * @description A request that sends the file. It needs no token.
         */
        SignedUpload: {
            /**
             * @description The method.
             * @enum {string}
             */
            method: "PUT";
            /** @description The address. Whoever has it can send the file, until it expires. */
            url: string;
            /** @description Headers to send as they are. Content-Length is the announced size. */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the address ceases to work: after 15 minutes.
             */
            expiresAt: string;
            /** @description The size of the file in bytes, exactly. */
            maxBytes: number;
        };
        /**
         * SplitBody
         * @description The parts, which together are what is open.
         */
        SplitBody: {
            /** @description Two or more parts. The payment keeps its id with the first one. */
            parts: components["schemas"]["SplitPart"][];
        };
        /**
         * SplitPart
         * @description One part.
         */
        SplitPart: {
            /** @description Amount, in units of the currency. */
            amount: number;
            /** @description When the part is due. */
            dueDate: string;
        };
        /**
         * Statement
         * @description What happened on an account between two days, both included.
         */
        Statement: {
            /** @description The balance before the first day. */
            openingBalance: number;
            /** @description A line for each document, oldest first. */
            lines: components["schemas"]["StatementLine"][];
            /** @description The balance after the last day. */
            closingBalance: number;
        };
        /**
         * StatementFault
         * @description What is wrong with a bank statement.
         */
        StatementFault: {
            /** @description The line of the file, from 1. */
            line: number;
            /** @description The column of the line, from 1. */
            column: number;
            /** @description What is wrong there. */
            code: string;
            /** @description The error as text. */
            detail: string;
        };
        /**
         * StatementLine
         * @description A document on an account.
         */
        StatementLine: {
            /**
             * Format: date
             * @description The day on which it was posted.
             */
            date: string;
            /**
             * @description What kind of document it is.
             * @enum {string}
             */
            kind: "invoice" | "receipt" | "reversal" | "credit_note" | "write_off" | "cancellation" | "payout" | "payout_reversal";
            /** @description Its number. */
            number: string;
            /** @description What it adds to the debt. */
            debit: number;
            /** @description What it takes off. */
            credit: number;
            /** @description The balance after it. */
            balance: number;
        };
        /**
         * StatementLineCounts
         * @description How many lines it has.
         */
        StatementLineCounts: {
            /** @description All lines. */
            total: number;
            /** @description Lines that no earlier file had. */
            new: number;
            /** @description Lines that an earlier file had. */
            known: number;
        };
        /**
         * StatementWarning
         * @description What was accepted and is to be looked at.
         */
        StatementWarning: {
            /** @description `gap`: statements are missing before this one or within it. */
            code: string;
            /** @description What it is. */
            detail: string;
        };
        /**
         * Student
         * @description A student.
         */
        Student: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId: string | null;
            /** @description Code of the student, unique in the tenant; the record name on the Resource API. */
            studentCode: string;
            /** @description Full name. */
            fullName: string;
            /** @description Given names. */
            givenNames: string | null;
            /** @description Family names. */
            familyNames: string | null;
            /** @description Name that the student goes by. */
            preferredName: string | null;
            /**
             * @description Where the student stands.
             * @enum {string}
             */
            status: "active" | "inactive" | "graduated" | "withdrawn" | "suspended";
            /** @description E-mail address; not unique. */
            email: string | null;
            /** @description Telephone number. */
            phone: string | null;
            /**
             * Format: date
             * @description Date of birth, `YYYY-MM-DD`.
             */
            dateOfBirth: string | null;
            /** @description Gender. */
            gender: string | null;
            /** @description Nationality. */
            nationality: string | null;
            /** @description Kind of identity document. */
            documentType: string | null;
            /** @description Number of the identity document. */
            documentNumber: string | null;
            /** @description Country. */
            country: string | null;
            /** @description State or province. */
            stateProvince: string | null;
            /** @description City. */
            city: string | null;
            /** @description Street address. */
            address: string | null;
            /** @description Postal code. */
            postalCode: string | null;
            /** @description Address of a photo. */
            photoUrl: string | null;
            /**
             * Format: uuid
             * @description Id of the program; null without one.
             */
            programId: string | null;
            /** @description Name of the program; empty without one. */
            program: string;
            /** @description The program that the record belongs to. */
            programRef: components["schemas"]["ProgramRef"] | null;
            /** @description Academic year. */
            academicYear: string | null;
            /** @description Academic period. */
            academicPeriod: string | null;
            /**
             * Format: date-time
             * @description When the student enrolled.
             */
            enrolledAt: string | null;
            /**
             * Format: date-time
             * @description When the student left.
             */
            withdrawnAt: string | null;
            /** @description A person of the tenant, linked to an application or a student in a role. */
            primaryContact: components["schemas"]["ContactLink"] | null;
            /** @description Guardians and other contacts. */
            contacts: components["schemas"]["ContactLink"][];
            /** @description The fields that the institution has defined, each with its value or null, see `GET /me`; until it has defined one, whatever integrators keep here. */
            customFields: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * StudentBody
         * @description Fields of a student. To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`.
         */
        StudentBody: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string | null;
            /** @description Code of the student; generated when absent. */
            studentCode?: string;
            /** @description Full name; composed from the other two when absent. */
            fullName?: string;
            /** @description Given names. */
            givenNames?: string | null;
            /** @description Family names. */
            familyNames?: string | null;
            /** @description Name that the student goes by. */
            preferredName?: string | null;
            /**
             * @description Where the student stands.
             * @enum {string}
             */
            status?: "active" | "inactive" | "graduated" | "withdrawn" | "suspended";
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /**
             * Format: date
             * @description Date of birth, `YYYY-MM-DD`, before today.
             */
            dateOfBirth?: string | null;
            /** @description Gender. */
            gender?: string | null;
            /** @description Nationality. */
            nationality?: string | null;
            /** @description Kind of identity document. */
            documentType?: string | null;
            /** @description Number of the identity document. */
            documentNumber?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street address. */
            address?: string | null;
            /** @description Postal code. */
            postalCode?: string | null;
            /**
             * Format: uri
             * @description An https address.
             */
            photoUrl?: string | null;
            /**
             * Format: uuid
             * @description Id of the program; wins over `program`.
             */
            programId?: string | null;
            /** @description Name of a program that has no record here. */
            program?: string;
            /** @description Academic year. */
            academicYear?: string | null;
            /** @description Academic period. */
            academicPeriod?: string | null;
            /**
             * Format: date-time
             * @description When the student enrolled. RFC 3339 with `Z` or an offset.
             */
            enrolledAt?: string | null;
            /**
             * Format: date-time
             * @description When the student left. RFC 3339 with `Z` or an offset.
             */
            withdrawnAt?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. Until it has defined one, members of the integrator’s choosing, merged by RFC 7396. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly programRef?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly primaryContact?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly contacts?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * StudentShares
         * @description Who pays a student’s fees.
         */
        StudentShares: {
            /** @description All shares. */
            shares: components["schemas"]["Share"][];
        };
        /**
         * TokenContext
         * @description The calling token, its tenant, and everything that explains a refusal.
         */
        TokenContext: {
            /** @description The institution that the token belongs to. */
            tenant: {
                /**
                 * Format: uuid
                 * @description Id of the tenant.
                 */
                id: string;
                /** @description Short name of the tenant in addresses. */
                slug: string;
                /** @description Name of the institution. */
                name: string;
            };
            /** @description The API key record of the token. */
            apiKey: {
                /**
                 * Format: uuid
                 * @description Id of the API key record.
                 */
                id: string;
                /** @description Name given to the token. */
                name: string;
                /** @description Scopes granted to the token. */
                scopes: ("students:read" | "students:write" | "admissions:read" | "admissions:write" | "payments:read" | "payments:write" | "programs:read" | "courses:read" | "vault:read" | "vault:write" | "forms:read" | "forms:write" | "events:read" | "audit:read" | "webhooks:read" | "webhooks:write" | "roster:read" | "roster-demographics:read" | "gradebook:read" | "gradebook:write" | "billing:read" | "billing:write")[];
                /** @description Domains that the token may write. */
                masterDomains: ("students" | "enrollment" | "payments")[];
                /** @description The token’s quota. */
                rateLimit: {
                    /** @description Requests that the token may send in a minute. */
                    requestsPerMinute: number;
                };
            };
            /** @description What the tenant has switched on. */
            productAccess: {
                /** @description Modules enabled for the tenant. */
                enabledModules: ("platform_integrations" | "staff_students" | "staff_admissions" | "staff_payments" | "staff_programs" | "staff_courses" | "staff_vault" | "staff_forms")[];
                /** @description System of record per domain. */
                sorByDomain: {
                    /**
                     * @description Who owns the domain.
                     * @enum {string}
                     */
                    students: "platform" | "integration" | "shared";
                    /**
                     * @description Who owns the domain.
                     * @enum {string}
                     */
                    enrollment: "platform" | "integration" | "shared";
                    /**
                     * @description Who owns the domain.
                     * @enum {string}
                     */
                    payments: "platform" | "integration" | "shared";
                };
            };
            /** @description The fields that the institution has defined, which records of each resource have below `customFields`; absent where it has defined none. */
            customFields?: {
                /** @description Those of students. */
                students: components["schemas"]["CustomField"][];
                /** @description Those of applications. */
                applications: components["schemas"]["CustomField"][];
                /** @description Those of payments. */
                payments: components["schemas"]["CustomField"][];
                /** @description Those of programs. */
                programs: components["schemas"]["CustomField"][];
                /** @description Those of courses. */
                courses: components["schemas"]["CustomField"][];
            };
        };
        /**
         * UpdateApplicationBody
         * @description Fields of an application. An absent field stays as it is.
         */
        UpdateApplicationBody: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string | null;
            /** @description Full name; composed from the other two when absent. */
            fullName?: string;
            /** @description Given names. */
            givenNames?: string | null;
            /** @description Family names. */
            familyNames?: string | null;
            /**
             * Format: uuid
             * @description Id of the program; wins over `program`.
             */
            programId?: string | null;
            /** @description Name of a program that has no record here. */
            program?: string;
            /** @description Key of a status of the tenant’s pipeline; the initial one when absent. */
            status?: string;
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street address. */
            address?: string | null;
            /** @description Academic year. */
            academicYear?: string | null;
            /** @description Academic period. */
            academicPeriod?: string | null;
            /**
             * Format: uri
             * @description An https address.
             */
            photoUrl?: string | null;
            /**
             * Format: uuid
             * @description The student that the applicant became.
             */
            studentId?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. Until it has defined one, members of the integrator’s choosing, merged by RFC 7396. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly applicationCode?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly programRef?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly contactId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly primaryContact?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly contacts?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UpdateBillingAccountBody
         * @description Fields of an account. An absent field stays as it is.
         */
        UpdateBillingAccountBody: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string;
            /** @description Name of the payer. */
            name?: string;
            /**
             * @description What the payer is; `family` by default.
             * @enum {string}
             */
            kind?: "family" | "company" | "sponsor" | "student";
            /** @description Currency; the institution’s by default, fixed once posted. */
            currency?: string;
            /**
             * @description Language; the institution’s by default.
             * @enum {string}
             */
            language?: "en" | "es" | "fr" | "pt";
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street and number. */
            address?: string | null;
            /** @description Postal code. */
            postalCode?: string | null;
            /** @description Tax number. */
            taxId?: string | null;
            /**
             * @description How invoices and reminders are delivered; `none` by default.
             * @enum {string}
             */
            deliverBy?: "mail" | "print" | "none";
            /** @description Name of a Payment Terms Template. */
            paymentTerms?: string | null;
            /** @description A mandate for direct debits. */
            mandate?: components["schemas"]["MandateInput"] | null;
            /** @description Replaces what the account pays. */
            shares?: components["schemas"]["ShareOfAccount"][];
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly accountNumber?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly balance?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly overdue?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly credit?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UpdateContactLinkBody
         * @description The context of a linked contact. An absent field stays as it is.
         */
        UpdateContactLinkBody: {
            /**
             * @description What the person is to the applicant or student.
             * @enum {string}
             */
            role?: "applicant" | "primary_contact" | "family" | "emergency" | "billing" | "other";
            /** @description The relation in words, such as Mother. */
            relationshipLabel?: string | null;
            /** @description Whether this is the one to turn to first; it takes that place from another. */
            isPrimary?: boolean;
            /** @description Free values, merged by RFC 7396. At most 200 keys, and 65536 bytes of JSON, also once it is merged. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly contactId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly source?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly displayName?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly email?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly phone?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UpdateDocumentBody
         * @description Fields of a document. An absent field stays as it is. `status` takes in_review, approved, rejected and archived once a file is there; `rejected` needs a `rejectionReason`.
         */
        UpdateDocumentBody: {
            /**
             * @description Where the document stands.
             * @enum {string}
             */
            status?: "pending_upload" | "uploaded" | "in_review" | "approved" | "rejected" | "expired" | "archived";
            /** @description Why it is rejected. */
            rejectionReason?: string | null;
            /** @description Title. */
            title?: string;
            /** @description Description; null for none. */
            description?: string | null;
            /**
             * Format: uuid
             * @description Id of an active document type.
             */
            documentTypeId?: string;
            /** @description When it was issued. */
            issuedAt?: string | null;
            /** @description When it ceases to be valid. */
            expiresAt?: string | null;
            /** @description Fields of the integrator’s choosing, merged by RFC 7396. At most 200 keys, and 65536 bytes of JSON, also once it is merged. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly externalId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly documentType?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly currentVersion?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly versions?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly links?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly reviewedAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly reviewedBy?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly source?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly requestId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UpdateDocumentRequestBody
         * @description Either `status: "revoked"`, which closes the page, or another `expiresAt`, which also opens an expired one again.
         */
        UpdateDocumentRequestBody: {
            /**
             * @description Where the request stands.
             * @enum {string}
             */
            status?: "open" | "partially_completed" | "completed" | "expired" | "revoked";
            /** @description Why it is revoked. */
            reason?: string | null;
            /** @description When the page ceases to take files, at most 90 days ahead. */
            expiresAt?: string;
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly externalId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly entityType?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly entityId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly entityLabel?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly title?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly message?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly recipient?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly items?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly publicUrl?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly revokedAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly revokedReason?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly completedAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly firstViewedAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly lastViewedAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly submittedAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UpdatePaymentBody
         * @description Fields of a payment. An absent field stays as it is.
         */
        UpdatePaymentBody: {
            /** @description Amount, in units of the currency. */
            amount?: number;
            /** @description Three letters (ISO 4217), stored in upper case. */
            currency?: string;
            /**
             * @description Where the payment stands.
             * @enum {string}
             */
            status?: "pending" | "paid" | "overdue" | "cancelled" | "refunded";
            /** @description What it is for. */
            description?: string;
            /** @description When it is due; null means on creation. */
            dueDate?: string | null;
            /** @description When it was paid; set to now when absent and status becomes paid. */
            paidAt?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. An unknown one is a fault. At most 200 keys. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly externalId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentName?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentCode?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly processorPaymentIntentId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UpdateWebhookBody
         * @description Fields of an endpoint. An absent field stays as it is.
         */
        UpdateWebhookBody: {
            /** @description An https address on the public internet, without credentials; every address that its name stands for must be public. An operator may allow networks of their own (`WEBHOOK_ALLOWED_NETWORKS`). */
            url?: string;
            /** @description Types of events; `payment.*` stands for all of a resource, `["*"]` for all that the token may read. At most 50. The token needs the read scope of each. */
            types?: string[];
            /** @description What it is for. */
            description?: string;
            /** @description Whether events are delivered to it. */
            enabled?: boolean;
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly status?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly disabledReason?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly lastSuccessAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly lastFailureAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UploadIntentBody
         * @description A file that is going to be uploaded. For a new document: `documentTypeId` or `documentTypeKey`. For a new version of a document: `documentId`, its own type if you like, and of the other fields only those of the file.
         */
        UploadIntentBody: {
            /** @description Name of the file. */
            fileName: string;
            /** @description Media type of the file, without parameters. Its content must be of this type. */
            mimeType: string;
            /** @description Size of the file in bytes, exactly. */
            sizeBytes: number;
            /** @description SHA-256 of the file, 64 lower-case hexadecimal digits. */
            checksumSha256?: string;
            /**
             * Format: uuid
             * @description Id of an active document type.
             */
            documentTypeId?: string;
            /** @description Key of an active document type. */
            documentTypeKey?: string;
            /**
             * Format: uuid
             * @description The document that gets a new version.
             */
            documentId?: string;
            /** @description Title; the name of the document type when absent. */
            title?: string;
            /** @description Description; null for none. */
            description?: string | null;
            /**
             * @description What kind of record the document belongs to.
             * @enum {string}
             */
            entityType?: "student" | "application";
            /**
             * Format: uuid
             * @description The student or the application that the document belongs to.
             */
            entityId?: string;
            /**
             * Format: uuid
             * @description The open document request that the document answers: it asks for one of this type. The document belongs to whom the request is about unless the body names another record.
             */
            requestId?: string;
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string;
            /** @description When it was issued. */
            issuedAt?: string | null;
            /** @description When it ceases to be valid. */
            expiresAt?: string | null;
            /** @description Fields of the integrator’s choosing. At most 200 keys, and 65536 bytes of JSON, also once it is merged. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /**
         * UploadTicket
         * @description A version that waits for its file, and the address that takes it.
         */
        UploadTicket: {
            /** @description A document of the vault with its files. */
            document: components["schemas"]["Document"];
            /** @description A file of a document. It is never overwritten: another file is another version. */
            version: components["schemas"]["DocumentVersion"];
            /** @description A request that sends the file. It needs no token. */
            upload: components["schemas"]["SignedUpload"];
        };
        /**
         * UpsertApplicationBody
         * @description Fields of an application; `contacts` are linked when it is created. To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`.
         */
        UpsertApplicationBody: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string | null;
            /** @description Full name; composed from the other two when absent. */
            fullName?: string;
            /** @description Given names. */
            givenNames?: string | null;
            /** @description Family names. */
            familyNames?: string | null;
            /**
             * Format: uuid
             * @description Id of the program; wins over `program`.
             */
            programId?: string | null;
            /** @description Name of a program that has no record here. */
            program?: string;
            /** @description Key of a status of the tenant’s pipeline; the initial one when absent. */
            status?: string;
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street address. */
            address?: string | null;
            /** @description Academic year. */
            academicYear?: string | null;
            /** @description Academic period. */
            academicPeriod?: string | null;
            /**
             * Format: uri
             * @description An https address.
             */
            photoUrl?: string | null;
            /**
             * Format: uuid
             * @description The student that the applicant became.
             */
            studentId?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. Until it has defined one, members of the integrator’s choosing, merged by RFC 7396. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Contacts to link to the new application, in this order. */
            contacts?: components["schemas"]["LinkContactBody"][];
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly applicationCode?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly programRef?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly contactId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly primaryContact?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UpsertBillingAccountBody
         * @description Fields of an account. `name` is required only when it is created.
         */
        UpsertBillingAccountBody: {
            /** @description The key of the record in the integrator’s own system, unique in the tenant. */
            externalId?: string;
            /** @description Name of the payer. */
            name?: string;
            /**
             * @description What the payer is; `family` by default.
             * @enum {string}
             */
            kind?: "family" | "company" | "sponsor" | "student";
            /** @description Currency; the institution’s by default, fixed once posted. */
            currency?: string;
            /**
             * @description Language; the institution’s by default.
             * @enum {string}
             */
            language?: "en" | "es" | "fr" | "pt";
            /** @description A valid e-mail address. The empty string is stored as `null`. */
            email?: string | "" | null;
            /** @description Telephone number. */
            phone?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateProvince?: string | null;
            /** @description City. */
            city?: string | null;
            /** @description Street and number. */
            address?: string | null;
            /** @description Postal code. */
            postalCode?: string | null;
            /** @description Tax number. */
            taxId?: string | null;
            /**
             * @description How invoices and reminders are delivered; `none` by default.
             * @enum {string}
             */
            deliverBy?: "mail" | "print" | "none";
            /** @description Name of a Payment Terms Template. */
            paymentTerms?: string | null;
            /** @description A mandate for direct debits. */
            mandate?: components["schemas"]["MandateInput"] | null;
            /** @description Replaces what the account pays. */
            shares?: components["schemas"]["ShareOfAccount"][];
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly accountNumber?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly balance?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly overdue?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly credit?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * UpsertPaymentBody
         * @description Fields of a payment. `studentId`, `amount`, `description` and `dueDate` are required only when it is created.
         */
        UpsertPaymentBody: {
            /**
             * Format: uuid
             * @description The student who pays; fixed once created.
             */
            studentId?: string;
            /** @description Amount, in units of the currency. */
            amount?: number;
            /** @description Three letters (ISO 4217), stored in upper case. */
            currency?: string;
            /**
             * @description Where the payment stands.
             * @enum {string}
             */
            status?: "pending" | "paid" | "overdue" | "cancelled" | "refunded";
            /** @description What it is for. */
            description?: string;
            /** @description When it is due; null means on creation. */
            dueDate?: string | null;
            /** @description When it was paid; set to now when absent and status becomes paid. */
            paidAt?: string | null;
            /** @description The fields that the institution has defined, see `GET /me`: those that are absent stay, null clears. An unknown one is a fault. At most 200 keys. */
            customFields?: {
                [key: string]: unknown;
            };
            /** @description Not writable: taken when it equals the stored value. */
            readonly id?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly externalId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentName?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly studentCode?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly processorPaymentIntentId?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly createdAt?: unknown;
            /** @description Not writable: taken when it equals the stored value. */
            readonly updatedAt?: unknown;
        };
        /**
         * WalkPagination
         * @description Where a page stands in its walk.
         */
        WalkPagination: {
            /** @description The pages walked, this one included. */
            page: number;
            /** @description Records per page. */
            limit: number;
        };
        /**
         * Webhook
         * @description An address that events are delivered to, signed as Standard Webhooks 1.0.0 says.
         */
        Webhook: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The address that deliveries are sent to. */
            url: string;
            /** @description The types that it gets, as they were asked for. */
            types: string[];
            /** @description What it is for. */
            description: string;
            /**
             * @description Whether events are delivered to it.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description Why it is disabled: `manual`: somebody did so; `failing`: nothing arrived for five days; `gone`: it answered 410. */
            disabledReason: ("manual" | "failing" | "gone") | null;
            /**
             * Format: date-time
             * @description When a delivery last arrived. RFC 3339, UTC, milliseconds.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed. RFC 3339, UTC, milliseconds.
             */
            lastFailureAt: string | null;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
        };
        /**
         * WebhookBody
         * @description What is delivered of an event: which record it is about, and which of its fields changed. The record is read by its own operation.
         */
        WebhookBody: {
            /** @description What happened. */
            type: string;
            /**
             * Format: date-time
             * @description When it happened. RFC 3339, UTC, milliseconds.
             */
            timestamp: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the record.
                 */
                id: string;
                /** @description The key of the record in the integrator’s own system. */
                externalId: string | null;
                /** @description The kind of record. */
                entityType: string;
                /** @description The fields that differ from before. */
                changed: string[];
                /** @description Position of the event in the feed; null of a ping. */
                position: string | null;
                /** @description The slug of the tenant. */
                tenant: string;
            };
        };
        /**
         * WebhookWithSecret
         * @description An endpoint with the secret that its deliveries are signed with. No other answer has the secret.
         */
        WebhookWithSecret: {
            /**
             * Format: uuid
             * @description Id, a UUID.
             */
            id: string;
            /** @description The address that deliveries are sent to. */
            url: string;
            /** @description The types that it gets, as they were asked for. */
            types: string[];
            /** @description What it is for. */
            description: string;
            /**
             * @description Whether events are delivered to it.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description Why it is disabled: `manual`: somebody did so; `failing`: nothing arrived for five days; `gone`: it answered 410. */
            disabledReason: ("manual" | "failing" | "gone") | null;
            /**
             * Format: date-time
             * @description When a delivery last arrived. RFC 3339, UTC, milliseconds.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed. RFC 3339, UTC, milliseconds.
             */
            lastFailureAt: string | null;
            /**
             * Format: date-time
             * @description When the record was made. RFC 3339, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record last changed; never goes back. RFC 3339, UTC, milliseconds.
             */
            updatedAt: string;
            /** @description `whsec_` and 32 bytes in base64: verify deliveries with it. Keep it; it is not shown again. */
            secret: string;
        };
    };
    responses: never;
    parameters: {
        /** @description Makes a repetition harmless: a key of your choosing, such as a UUID, new for every creation and the same on every retry. 1 to 255 printable ASCII characters, bare or as a quoted string of Structured Fields (RFC 9651). Within 24 hours the same request with the same key gets the first one’s answer again, marked with `Idempotent-Replayed`. While the first is still being processed the answer is 409 `idempotency_key_in_use`; another operation, path or body with the key is 422 `idempotency_key_reused`. */
        "Idempotency-Key": string;
        /** @description The `ETag` of the version that the change is based on (RFC 9110 §13.1.1). When the record has changed since, nothing is written and the answer is 412 `precondition_failed`. Without the header the change is made whatever the version. */
        "If-Match": string;
        /** @description The `ETag` that you have (RFC 9110 §13.1.2). When it is still the current one, the answer is 304. */
        "If-None-Match": string;
        /** @description Id of the event, the same at every attempt: what came twice has it twice. */
        "webhook-id": string;
        /** @description When this attempt left, in seconds since 1970. */
        "webhook-timestamp": string;
        /** @description Signatures, separated by spaces: `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64. While a secret is being replaced there are two. */
        "webhook-signature": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getTokenContext: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["TokenContext"];
                    };
                };
            };
        };
    };
    listStudents: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only students in this status. */
                status?: "active" | "inactive" | "graduated" | "withdrawn" | "suspended";
                /** @description Part of the name, code, e-mail or externalId, in any case, accents ignored. */
                search?: string;
                /** @description Only students with this e-mail address, in any case. */
                email?: string;
                /** @description Only the student with this code. */
                studentCode?: string;
                /** @description Only the student with this externalId. */
                externalId?: string;
                /** @description Only students of this program. */
                programId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Student"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createStudent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Fields of a student. To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StudentBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    listDeletedStudents: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose deletedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["DeletedRecord"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    batchStudents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Up to 500 students with their externalIds. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchStudentsBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BatchOutcome"][];
                    };
                };
            };
        };
    };
    getStudent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    updateStudent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Fields of a student. To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StudentBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    upsertStudentByExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key of the record in the integrator’s own system, unique in the tenant. */
                externalId: string;
            };
            cookie?: never;
        };
        /** @description Fields of a student. To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StudentBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Student"];
                    };
                };
            };
            /** @description Created: no record had this externalId. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    listPipelineStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["PipelineStatus"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only applications in this status of the pipeline. */
                status?: string;
                /** @description Only applications for this program. */
                programId?: string;
                /** @description Only applications that became this student. */
                studentId?: string;
                /** @description A person linked to the application in any role. */
                contactId?: string;
                /** @description Only the application with this externalId. */
                externalId?: string;
                /** @description Only applications for this academic year. */
                academicYear?: string;
                /** @description Only applications for this academic period. */
                academicPeriod?: string;
                /** @description Part of the name, code, e-mail or externalId, in any case, accents ignored. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["AdmissionApplication"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Fields of a new application, and its contacts. To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApplicationBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["AdmissionApplication"];
                    };
                };
            };
        };
    };
    listDeletedApplications: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose deletedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["DeletedRecord"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    batchApplications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Up to 500 applications with their externalIds. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchApplicationsBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BatchOutcome"][];
                    };
                };
            };
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["AdmissionApplication"];
                    };
                };
            };
        };
    };
    updateApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Fields of an application. An absent field stays as it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApplicationBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["AdmissionApplication"];
                    };
                };
            };
        };
    };
    upsertApplicationByExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key of the record in the integrator’s own system, unique in the tenant. */
                externalId: string;
            };
            cookie?: never;
        };
        /** @description Fields of an application; `contacts` are linked when it is created. To create one a name is needed: `fullName`, or `givenNames` and/or `familyNames`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpsertApplicationBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["AdmissionApplication"];
                    };
                };
            };
            /** @description Created: no record had this externalId. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["AdmissionApplication"];
                    };
                };
            };
        };
    };
    linkApplicationContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Names a person by `contactId`, or by e-mail, then phone, where nothing known contradicts it: somebody of another name, or with the same phone and another e-mail, is another person. One that is not found is created. Without any of them the applicant is linked. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkContactBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["AdmissionApplication"];
                    };
                };
            };
        };
    };
    unlinkApplicationContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
                /** @description Id, a UUID. */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["AdmissionApplication"];
                    };
                };
            };
        };
    };
    updateApplicationContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
                /** @description Id, a UUID. */
                linkId: string;
            };
            cookie?: never;
        };
        /** @description The context of a linked contact. An absent field stays as it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateContactLinkBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["AdmissionApplication"];
                    };
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only payments in this status. */
                status?: "pending" | "paid" | "overdue" | "cancelled" | "refunded";
                /** @description Only payments of this student. */
                studentId?: string;
                /** @description Only the payment with this externalId. */
                externalId?: string;
                /** @description Only payments in this currency, three letters (ISO 4217). */
                currency?: string;
                /** @description Due at or after this stamp. */
                dueFrom?: string;
                /** @description Due at or before this stamp. */
                dueTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Payment"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A new payment or obligation. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Payment"];
                    };
                };
            };
        };
    };
    listDeletedPayments: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose deletedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["DeletedRecord"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    batchPayments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Up to 500 payments with their externalIds. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchPaymentsBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BatchOutcome"][];
                    };
                };
            };
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Payment"];
                    };
                };
            };
        };
    };
    updatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Fields of a payment. An absent field stays as it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePaymentBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Payment"];
                    };
                };
            };
        };
    };
    upsertPaymentByExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key of the record in the integrator’s own system, unique in the tenant. */
                externalId: string;
            };
            cookie?: never;
        };
        /** @description Fields of a payment. `studentId`, `amount`, `description` and `dueDate` are required only when it is created. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpsertPaymentBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Payment"];
                    };
                };
            };
            /** @description Created: no record had this externalId. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Payment"];
                    };
                };
            };
        };
    };
    listBillingAccounts: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only accounts that pay for this student. */
                studentId?: string;
                /** @description Only accounts of this kind. */
                kind?: "family" | "company" | "sponsor" | "student";
                /** @description Only the account with this externalId. */
                externalId?: string;
                /** @description A part of the name, the number or the e-mail address. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["BillingAccount"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createBillingAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A new account. `name` is required. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBillingAccountBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BillingAccount"];
                    };
                };
            };
        };
    };
    getBillingAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BillingAccount"];
                    };
                };
            };
        };
    };
    updateBillingAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Fields of an account. An absent field stays as it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBillingAccountBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BillingAccount"];
                    };
                };
            };
        };
    };
    upsertBillingAccountByExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key of the record in the integrator’s own system, unique in the tenant. */
                externalId: string;
            };
            cookie?: never;
        };
        /** @description Fields of an account. `name` is required only when it is created. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpsertBillingAccountBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BillingAccount"];
                    };
                };
            };
            /** @description Created: no record had this externalId. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BillingAccount"];
                    };
                };
            };
        };
    };
    replaceStudentShares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                studentId: string;
            };
            cookie?: never;
        };
        /** @description All shares of the student. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceSharesBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["StudentShares"];
                    };
                };
            };
        };
    };
    listObligations: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only obligations in this status. */
                status?: "pending" | "paid" | "overdue" | "cancelled" | "refunded";
                /** @description Due at or before this stamp; a bare day is included. */
                dueTo?: string;
            };
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Obligation"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    splitObligation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                paymentId: string;
            };
            cookie?: never;
        };
        /** @description The parts, which together are what is open. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SplitBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Obligation"][];
                    };
                };
            };
        };
    };
    writeOffObligation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                paymentId: string;
            };
            cookie?: never;
        };
        /** @description An amount and why. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdjustmentBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Adjustment"];
                    };
                };
            };
        };
    };
    creditObligation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                paymentId: string;
            };
            cookie?: never;
        };
        /** @description An amount and why. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdjustmentBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Adjustment"];
                    };
                };
            };
        };
    };
    listReceipts: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only receipts in this status. */
                status?: "posted" | "reversed";
                /** @description Only receipts of this account. */
                accountId?: string;
                /** @description Only receipts paid in this way. */
                method?: "cash" | "transfer" | "card" | "cheque" | "direct_debit" | "credit" | "other";
                /** @description Received on or after this day. */
                from?: string;
                /** @description Received on or before this day. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Receipt"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Money that came in. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReceiptBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Receipt"];
                    };
                };
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Receipt"];
                    };
                    "application/pdf": string;
                };
            };
        };
    };
    reverseReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Why and on which day. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReverseReceiptBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Receipt"];
                    };
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only payouts in this status. */
                status?: "posted" | "reversed";
                /** @description Only payouts of this account. */
                accountId?: string;
                /** @description Paid on or after this day. */
                from?: string;
                /** @description Paid on or before this day. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Payout"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Credit that is paid out. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePayoutBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Payout"];
                    };
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Payout"];
                    };
                };
            };
        };
    };
    reversePayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Why and on which day. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReversePayoutBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Payout"];
                    };
                };
            };
        };
    };
    getBillingDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
                /** @description Number of a document. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BillingDocument"];
                    };
                    "application/pdf": string;
                };
            };
        };
    };
    listBankStatements: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only statements of this bank account (IBAN). */
                account?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["BankStatement"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    importBankStatement: {
        parameters: {
            query?: {
                /** @description IBAN of the bank account; for CSV, which does not say it. */
                account?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The file as the bank made it, at most 25 MiB. */
        requestBody: {
            content: {
                "application/xml": string;
                "text/plain": string;
                "application/x-ofx": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BankStatement"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BankStatement"];
                    };
                };
            };
        };
    };
    getBankStatement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BankStatement"];
                    };
                };
            };
        };
    };
    listBankStatementLines: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only lines in this status. */
                status?: "open" | "booked" | "ignored";
            };
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["BankStatementLine"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    matchBankStatementLine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
                /** @description Id, a UUID. */
                lineId: string;
            };
            cookie?: never;
        };
        /** @description Who paid, and what. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatchBankStatementLineBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BankStatementLine"];
                    };
                };
            };
        };
    };
    unmatchBankStatementLine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
                /** @description Id, a UUID. */
                lineId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["BankStatementLine"];
                    };
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description The first day; from the beginning by default. */
                from?: string;
                /** @description The last day, included; today by default. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Statement"];
                    };
                    "application/pdf": string;
                };
            };
        };
    };
    listAgeing: {
        parameters: {
            query?: {
                /** @description As it stood at the end of this day; today by default. */
                asOf?: string;
                /** @description What the rows are; accounts by default. */
                by?: "account" | "student" | "group" | "program" | "year";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["AgeingRow"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getJournal: {
        parameters: {
            query: {
                /** @description The first day. */
                from: string;
                /** @description The last day, included. */
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Journal"];
                    };
                    "text/csv": string;
                    "text/x-hledger": string;
                    "text/x-beancount": string;
                };
            };
        };
    };
    listDunningRuns: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["DunningRun"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createDunningRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whom reminders are proposed for. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DunningRunBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DunningRun"];
                    };
                };
            };
        };
    };
    getDunningRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DunningRun"];
                    };
                    "application/pdf": string;
                };
            };
        };
    };
    getDunningNotice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
                /** @description Id, a UUID. */
                noticeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DunningNotice"];
                    };
                    "application/pdf": string;
                };
            };
        };
    };
    sendDunningRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description What is sent. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendDunningBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DunningRun"];
                    };
                };
            };
        };
    };
    holdDunning: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                paymentId: string;
            };
            cookie?: never;
        };
        /** @description Why reminders stop. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DunningHoldBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DunningHold"];
                    };
                };
            };
        };
    };
    getBillingTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["BillingTimelineEntry"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listDirectDebits: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["DirectDebit"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createDirectDebit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What is to be collected. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDirectDebitBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DirectDebit"];
                    };
                };
            };
        };
    };
    getDirectDebit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DirectDebit"];
                    };
                    "application/xml": string;
                };
            };
        };
    };
    returnDirectDebits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Debits that the bank gave back. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnDebitsBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DirectDebit"];
                    };
                };
            };
        };
    };
    listPrograms: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Whether it is offered. */
                status?: "active" | "inactive" | "archived";
                /** @description Part of the name or the code, in any case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Program"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getProgram: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Program"];
                    };
                };
            };
        };
    };
    listCourses: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Whether it is offered. */
                status?: "active" | "inactive" | "archived";
                /** @description Only courses of this program. */
                programId?: string;
                /** @description Part of the name or the code, in any case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Course"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getCourse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Course"];
                    };
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only documents of this type. */
                documentTypeId?: string;
                /** @description Only documents in this status. */
                status?: "pending_upload" | "uploaded" | "in_review" | "approved" | "rejected" | "expired" | "archived";
                /** @description Only documents of this student. */
                studentId?: string;
                /** @description Only documents of this application. */
                applicationId?: string;
                /** @description Only documents that answer this document request. */
                requestId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Document"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listDeletedDocuments: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose deletedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["DeletedRecord"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Document"];
                    };
                };
            };
        };
    };
    updateDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Fields of a document. An absent field stays as it is. `status` takes in_review, approved, rejected and archived once a file is there; `rejected` needs a `rejectionReason`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Document"];
                    };
                };
            };
        };
    };
    createUploadIntent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A file that is going to be uploaded. For a new document: `documentTypeId` or `documentTypeKey`. For a new version of a document: `documentId`, its own type if you like, and of the other fields only those of the file. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadIntentBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["UploadTicket"];
                    };
                };
            };
        };
    };
    renewUploadUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                documentId: string;
                /** @description Id, a UUID. */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["UploadTicket"];
                    };
                };
            };
        };
    };
    completeUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                documentId: string;
                /** @description Id, a UUID. */
                versionId: string;
            };
            cookie?: never;
        };
        /** @description What is known of the file that was uploaded. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompleteUploadBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Document"];
                    };
                };
            };
        };
    };
    downloadDocument: {
        parameters: {
            query?: {
                /** @description Whether a browser shows the file or saves it; attachment when absent. What a browser might run is always saved. */
                disposition?: "inline" | "attachment";
                /** @description A version that is ready; the current one when absent. */
                versionId?: string;
            };
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DocumentDownload"];
                    };
                };
            };
        };
    };
    linkDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The record that the document belongs to as well. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkDocumentBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Document"];
                    };
                };
            };
        };
    };
    listDocumentTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["DocumentType"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listRequirementProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["RequirementProfile"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getRequirements: {
        parameters: {
            query?: {
                /** @description What kind of record the document belongs to. */
                entityType?: "student" | "application";
                /** @description Id of the student or the application, with `entityType`. */
                entityId?: string;
                /** @description Id of a student, instead of the other two. */
                studentId?: string;
                /** @description Id of an application, instead of the other two. */
                applicationId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Requirements"];
                    };
                };
            };
        };
    };
    listDocumentRequests: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only requests in this status. */
                status?: "open" | "partially_completed" | "completed" | "expired" | "revoked";
                /** @description Only requests about this student. */
                studentId?: string;
                /** @description Only requests about this application. */
                applicationId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["DocumentRequest"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createDocumentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Who is asked for which documents: exactly one of `items`, `documentTypeIds` and `fromRequirements`. The recipient is the primary contact of the student or the application when absent, or else the student or the applicant. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDocumentRequestBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DocumentRequest"];
                    };
                };
            };
        };
    };
    getDocumentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DocumentRequest"];
                    };
                };
            };
        };
    };
    updateDocumentRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Either `status: "revoked"`, which closes the page, or another `expiresAt`, which also opens an expired one again. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentRequestBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["DocumentRequest"];
                    };
                };
            };
        };
    };
    listFormTemplates: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Whether it is being made, in use, or no longer in use. */
                status?: "draft" | "published" | "archived";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["FormTemplate"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listFormSubmissions: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Where the submission stands. */
                status?: "submitted" | "processed" | "withdrawn";
                /** @description Id of a template. */
                templateId?: string;
                /** @description Submissions that belong to this kind of record, or to none. */
                entityType?: "student" | "application" | "none";
                /** @description Id of a student or an application. */
                entityId?: string;
                /** @description Id of a student. */
                studentId?: string;
                /** @description Id of an application. */
                applicationId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["FormSubmission"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events after this position. Absent: from the oldest retained event. `latest`: no events, only the current position. */
                after?: string;
                /** @description The most events of one answer. */
                limit?: number;
                /** @description Only events of these types, separated by commas; `payment.*` stands for all of a resource. At most 50. */
                types?: string;
                /** @description Seconds to wait for an event where there is none yet. It changes nothing of a stream. */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What happened after the position. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Event"][];
                        /** @description The position to send as `after` next time, also where `data` is empty. */
                        next: string;
                        /** @description Whether there is more already. */
                        hasMore: boolean;
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Webhook"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A new endpoint. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Fields of an endpoint. An absent field stays as it is. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description How long the secret until now signs as well. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecretBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. All earlier records are skipped, so deep pages are slow: read a long list by `cursor`. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
                /** @description Only records whose updatedAt is at or after this stamp. Send the Sync-Watermark of the last sweep’s first page. */
                updatedSince?: string;
                /** @description Walks the list at constant cost: `*` first, then each answer’s Next-Cursor. Not together with page. */
                cursor?: string;
                /** @description Only deliveries in this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Only deliveries of this type of event. */
                type?: string;
            };
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Delivery"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description One delivery, or the events between two positions. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliveryBody"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. */
                        data: components["schemas"]["Redelivery"];
                    };
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Entries of one answer. */
                limit?: number;
                /** @description `*` or nothing first, then each answer’s Next-Cursor. */
                cursor?: string;
                /** @description Only what was done with records of this kind. */
                entityType?: string;
                /** @description Only what was done with this record. */
                entityId?: string;
                /** @description Only what was done with records that had this key then. */
                externalId?: string;
                /** @description Only this action, such as `user.log_in_failed`. */
                action?: string;
                /** @description Only what this key or user did. */
                actorId?: string;
                /** @description Only what was done at or after this moment. RFC 3339, or a date. */
                since?: string;
                /** @description Only what was done before this moment. RFC 3339, or a date. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["AuditEntry"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["WalkPagination"];
                    };
                };
            };
        };
    };
    listDisclosures: {
        parameters: {
            query?: {
                /** @description Entries of one answer. */
                limit?: number;
                /** @description `*` or nothing first, then each answer’s Next-Cursor. */
                cursor?: string;
                /** @description Only records of this kind. */
                entityType?: string;
                /** @description Only reads that showed this record, or a record about this person. */
                entityId?: string;
                /** @description Only reads that showed the record with this key, or a record about this person. */
                externalId?: string;
                /** @description Only what this key or user read. */
                actorId?: string;
                /** @description Only what was read at or after this moment. RFC 3339, or a date. */
                since?: string;
                /** @description Only what was read before this moment. RFC 3339, or a date. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records, in the order of the list. */
                        data: components["schemas"]["Disclosure"][];
                        /** @description Where the page stands in its list. */
                        pagination: components["schemas"]["WalkPagination"];
                    };
                };
            };
        };
    };
}
